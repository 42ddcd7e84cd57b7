// SPDX-License-Identifier: Apache-2.0
package dev.fanout;

/**
 * Names one entity: the thing of the application that changes.
 *
 * <p>Order is promised per entity, a version grows per entity, and an entity never spans two partitions.
 * References compare by value and order by tenant, type and id, which is also the order in which a batch locks
 * entities.
 *
 * @param tenant whose entity it is; {@value #DEFAULT_TENANT} where the application has no tenants
 * @param type what kind of entity it is, such as {@code asset}; streams choose what they carry by it
 * @param id which one of its type, unique within tenant and type; 1 to 512 characters
 */
public record EntityRef(String tenant, String type, String id) implements Comparable<EntityRef> {

    /** The tenant of every entity for which the application names none. */
    public static final String DEFAULT_TENANT = "default";

    private static final int MAX_ID = 512;

    /**
     * Checks the three parts.
     *
     * @throws IllegalArgumentException if a part is empty, too long, or holds a character that PostgreSQL can't store
     */
    public EntityRef {
        Names.check("tenant", tenant);
        Names.check("entity type", type);
        Names.checkText("entity id", id, MAX_ID);
    }

    /**
     * Names an entity of the {@linkplain #DEFAULT_TENANT default tenant}.
     *
     * @param type what kind of entity it is
     * @param id which one of its type
     * @return the reference
     */
    public static EntityRef of(String type, String id) {
        return new EntityRef(DEFAULT_TENANT, type, id);
    }

    @Override
    public int compareTo(EntityRef other) {
        int byTenant = tenant.compareTo(other.tenant);
        if (byTenant != 0) {
            return byTenant;
        }
        int byType = type.compareTo(other.type);
        return byType != 0 ? byType : id.compareTo(other.id);
    }

    /** Returns {@code tenant/type/id}, for messages. */
    @Override
    public String toString() {
        return tenant + "/" + type + "/" + id;
    }
}
