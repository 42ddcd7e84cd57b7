// SPDX-License-Identifier: Apache-2.0
package dev.fanout;

import java.util.Objects;

/**
 * Says that an append expected another version than the entity has. Nothing of the append, nor of the batch that it
 * was part of, was written.
 *
 * <p>With plain JDBC, roll the transaction back: it may already hold statements that were decided on the stale version.
 * Then read again and try again.
 */
public final class VersionConflictException extends FanoutException {

    private static final long serialVersionUID = 1L;

    private final transient EntityRef entity;
    private final long expected;
    private final long actual;

    /**
     * Makes the exception.
     *
     * @param entity the entity in conflict
     * @param expected the version that the append named
     * @param actual the version that the entity has, 0 if it does not exist
     * @param what which version it is about: {@code version} or {@code source version}
     */
    public VersionConflictException(EntityRef entity, long expected, long actual, String what) {
        super("conflict on " + entity + ": expected " + what + " " + expected + ", actual " + what + " " + actual
                + "; nothing was appended. Roll back, read the entity again and retry");
        this.entity = Objects.requireNonNull(entity, "entity");
        this.expected = expected;
        this.actual = actual;
    }

    /**
     * Returns the entity in conflict.
     *
     * @return the entity; null only after the exception was serialized
     */
    public EntityRef entity() {
        return entity;
    }

    /**
     * Returns what the append named: the expected version, or its source version.
     *
     * @return the version expected
     */
    public long expected() {
        return expected;
    }

    /**
     * Returns what the entity has.
     *
     * @return the actual version, 0 if the entity does not exist
     */
    public long actual() {
        return actual;
    }
}
