// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.append;

import dev.fanout.EntityRef;
import dev.fanout.spi.Layout;
import java.nio.charset.StandardCharsets;

/**
 * Which partition an entity belongs to. It sees only tenant, type and id, so that an entity never spans two partitions.
 *
 * <p>The hash is part of what is stored and can never change: FNV-1a with 64 bits (Fowler, Noll, Vo;
 * draft-eastlake-fnv) over the UTF-8 of {@code tenant NUL type NUL id}, then the finalizer of MurmurHash3 (Appleby,
 * {@code fmix64}), since the low bits of FNV-1a alone are weak; the partition is the unsigned remainder. A stream that is
 * partitioned by tenant hashes the UTF-8 of the tenant alone, in the same way. Test vectors stand in
 * {@code PartitionerTest}.
 */
public final class Partitioner {

    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private Partitioner() {}

    /**
     * Returns an entity's partition.
     *
     * @param entity which entity
     * @param partitions how many there are
     * @return 0 to {@code partitions - 1}
     */
    public static int partition(EntityRef entity, int partitions) {
        return (int) Long.remainderUnsigned(hash(entity), partitions);
    }

    /**
     * Returns an entity's partition of a stream.
     *
     * @param entity which entity
     * @param stream the stream, with its partitioner
     * @return 0 to {@code partitions - 1}
     */
    public static int partition(EntityRef entity, Layout.Stream stream) {
        return switch (stream.partitioner()) {
            case ENTITY -> partition(entity, stream.partitions());
            case TENANT -> (int) Long.remainderUnsigned(hash(entity.tenant()), stream.partitions());
        };
    }

    static long hash(String tenant) {
        return fmix64(fnv(FNV_OFFSET, tenant));
    }

    static long hash(EntityRef entity) {
        long hash = FNV_OFFSET;
        hash = fnv(hash, entity.tenant());
        hash = fnv(hash, "\0");
        hash = fnv(hash, entity.type());
        hash = fnv(hash, "\0");
        hash = fnv(hash, entity.id());
        return fmix64(hash);
    }

    private static long fnv(long hash, String text) {
        long h = hash;
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            h = (h ^ (b & 0xff)) * FNV_PRIME;
        }
        return h;
    }

    private static long fmix64(long hash) {
        long h = hash;
        h ^= h >>> 33;
        h *= 0xff51afd7ed558ccdL;
        h ^= h >>> 33;
        h *= 0xc4ceb9fe1a85ec53L;
        h ^= h >>> 33;
        return h;
    }
}
