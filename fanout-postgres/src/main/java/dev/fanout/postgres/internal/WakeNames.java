// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The names under which processes meet to wake one another: derived, so that all who use one schema of one database
 * agree and no others do.
 *
 * <p>The hash is the first eight bytes, big-endian, of the SHA-256 of the UTF-8 of database, schema and subject, with a
 * NUL byte between two (no name contains one). Changing it is a change of protocol: a relay of the old release would not
 * hear appends of the new one.
 *
 * @param database the database, as {@code current_database()} tells it: not as a URL does, which may name a pooler's alias
 * @param schema the schema
 */
public record WakeNames(String database, SchemaName schema) {

    /**
     * Returns the advisory lock that a relay holds while it is awake.
     *
     * @param lane the lane
     * @return the lock's key
     */
    public long key(int lane) {
        return hash("lane/" + lane);
    }

    /**
     * Returns where appends notify a relay that sleeps.
     *
     * @param lane the lane
     * @return the channel
     */
    public String appended(int lane) {
        return channel("appended", key(lane));
    }

    /**
     * Returns where relays tell other nodes that there is something to read.
     *
     * @return the channel
     */
    public String published() {
        return channel("published", hash("published"));
    }

    /**
     * Returns where nodes tell that they gave leases back.
     *
     * @return the channel
     */
    public String released() {
        return channel("released", hash("released"));
    }

    /**
     * Returns where somebody who asks for parked events tells their owners.
     *
     * @return the channel
     */
    public String asked() {
        return channel("asked", hash("asked"));
    }

    private static String channel(String subject, long hash) {
        return "fanout_" + subject + "_" + HexFormat.of().toHexDigits(hash);
    }

    private long hash(String subject) {
        String all = database + '\0' + schema.value() + '\0' + subject;
        return ByteBuffer.wrap(sha256().digest(all.getBytes(StandardCharsets.UTF_8)))
                .getLong();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
