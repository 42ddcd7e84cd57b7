// SPDX-License-Identifier: Apache-2.0
package dev.fanout;

import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Declares a stream: which entity types it carries, and in how many partitions. Immutable.
 *
 * <p>What is declared is stored at the first start and fixed from then on: a process that declares it otherwise is
 * refused, with both values, since two processes that disagree would put one entity in two partitions. Only the retention may
 * change: one that is declared replaces the stored one.
 *
 * @param name the stream's name
 * @param entityTypes the types whose appends go here unless they name their streams themselves; may be empty
 * @param partitions how many slices, 1 to 1024; order holds within one, and children work on as many at once
 * @param partitioner how an entity finds its partition
 * @param retention how long published records are kept; null for what is stored, or else {@link Settings#streamRetention()}
 */
public record StreamSpec(
        String name,
        Set<String> entityTypes,
        int partitions,
        Partitioner partitioner,
        @Nullable Duration retention) {

    /**
     * How an entity finds its partition. It sees tenant, type and id and nothing else, so that an entity never spans two
     * partitions, however its events differ. What it computes can never change: it is named in what is stored.
     */
    public enum Partitioner {
        /** By tenant, type and id: entities spread evenly. Order holds for each entity. */
        ENTITY("entity-1"),
        /** By tenant alone: all of a tenant's events are in one partition, in one order. */
        TENANT("tenant-1");

        private final String stored;

        Partitioner(String stored) {
            this.stored = stored;
        }

        /**
         * Returns the name that is stored.
         *
         * @return the name, with the version of the hash
         */
        public String stored() {
            return stored;
        }

        /**
         * Finds a partitioner by the name that is stored.
         *
         * @param name the name
         * @return the partitioner
         * @throws StartRefusedException if this release doesn't know it
         */
        public static Partitioner ofStored(String name) {
            return Arrays.stream(values())
                    .filter(known -> known.stored.equals(name))
                    .findFirst()
                    .orElseThrow(() -> new StartRefusedException("partitioner '" + name
                            + "' is stored and not known here; this release knows "
                            + Arrays.stream(values()).map(Partitioner::stored).toList()
                            + ": use a release that knows it"));
        }
    }

    private static final int MAX_PARTITIONS = 1024;

    /**
     * Checks the names and the number.
     *
     * @throws IllegalArgumentException if a name is invalid or the number is out of range
     */
    public StreamSpec {
        Names.check("stream", name);
        Objects.requireNonNull(partitioner, "partitioner");
        entityTypes = Set.copyOf(entityTypes);
        entityTypes.forEach(type -> Names.check("entity type", type));
        if (partitions < 1 || partitions > MAX_PARTITIONS) {
            throw new IllegalArgumentException(
                    "stream " + name + ": " + partitions + " partitions; use 1 to " + MAX_PARTITIONS);
        }
        if (retention != null && (retention.isNegative() || retention.isZero())) {
            throw new IllegalArgumentException("stream " + name + ": retention " + retention + "; use more than zero");
        }
    }

    /**
     * Begins a declaration: no entity types, one partition.
     *
     * @param name the stream's name
     * @return the declaration
     * @throws IllegalArgumentException if the name is invalid
     */
    public static StreamSpec named(String name) {
        return new StreamSpec(name, Set.of(), 1, Partitioner.ENTITY, null);
    }

    /**
     * Adds entity types that the stream carries.
     *
     * @param types the types
     * @return the declaration
     * @throws IllegalArgumentException if a type is invalid
     */
    public StreamSpec entities(String... types) {
        Set<String> all = new LinkedHashSet<>(entityTypes);
        all.addAll(Set.of(types));
        return new StreamSpec(name, all, partitions, partitioner, retention);
    }

    /**
     * Sets the number of partitions.
     *
     * @param count 1 to 1024
     * @return the declaration
     * @throws IllegalArgumentException if the number is out of range
     */
    public StreamSpec partitions(int count) {
        return new StreamSpec(name, entityTypes, count, partitioner, retention);
    }

    /**
     * Sets how an entity finds its partition.
     *
     * @param how by entity, which is the default, or by tenant
     * @return the declaration
     */
    public StreamSpec partitioner(Partitioner how) {
        return new StreamSpec(name, entityTypes, partitions, how, retention);
    }

    /**
     * Sets how long published records are kept for children that fall behind: at least an hour longer than the longest delay of
     * the stream's children. A child that stands still for longer loses what is removed before it, which is counted. Events
     * themselves are history and stay.
     *
     * @param time how long
     * @return the declaration
     * @throws IllegalArgumentException if it is not positive
     */
    public StreamSpec retention(Duration time) {
        return new StreamSpec(name, entityTypes, partitions, partitioner, time);
    }
}
