// SPDX-License-Identifier: Apache-2.0
package dev.fanout;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Hears everything that an operator would count. Every method does nothing by default.
 *
 * <p>Called on the engine's own threads, by many at once, between its steps: implementations must be safe for use by
 * many threads, and quick. What they throw is logged and otherwise ignored.
 */
public interface FanoutListener {

    /** What made a relay look. */
    enum WakeSource {
        /** An append in this process. */
        LOCAL,
        /** A notification from the database. */
        NOTIFICATION,
        /** The relay's own polling while it is awake or on its way to sleep, and its look after a new connection. */
        POLL,
        /** The backstop: nothing had woken the relay for the whole poll interval. */
        BACKSTOP
    }

    /**
     * A relay published events.
     *
     * @param lane whose relay
     * @param events how many
     * @param source what had made it look
     */
    default void published(int lane, int events, WakeSource source) {}

    /**
     * A child's events were delivered and its cursor advanced, durably.
     *
     * @param child which child
     * @param partition which partition
     * @param applied how many events took effect
     * @param gated how many were not newer than what had been applied
     * @param skipped how many the projection skipped
     * @param filtered how many the child's filter kept out
     */
    default void delivered(String child, int partition, long applied, long gated, long skipped, long filtered) {}

    /**
     * A delivery failed and will be tried again.
     *
     * @param child which child
     * @param partition which partition
     * @param attempts how many times in a row by now
     * @param cause why; null where the projection itself asked to be called again later
     * @param pause how long until the next attempt
     */
    default void failed(String child, int partition, int attempts, @Nullable Throwable cause, Duration pause) {}

    /**
     * An event kept failing while others succeeded, or can't be applied at all: its entity was set aside, durably.
     *
     * @param child which child
     * @param partition which partition
     * @param event the event that failed
     * @param cause what was said of it
     */
    default void parked(String child, int partition, Event event, String cause) {}

    /**
     * The distance of a child behind its stream, measured at each reconcile on the node that runs it.
     *
     * @param child which child
     * @param partition which partition
     * @param records how many published records it has not examined
     */
    default void lag(String child, int partition, long records) {}

    /**
     * Records were missing from the log where the cursor stood, and were passed over.
     *
     * @param child which child
     * @param partition which partition
     * @param records how many
     */
    default void lost(String child, int partition, long records) {}

    /**
     * This node took a lease.
     *
     * @param resource what is owned: {@code lane/<n>} or {@code child/<name>/<partition>}
     * @param token the fencing token, higher than all before
     */
    default void leaseTaken(String resource, long token) {}

    /**
     * This node gave a lease back.
     *
     * @param resource what was owned
     */
    default void leaseReleased(String resource) {}

    /**
     * This node gave up a lease that it could not renew, or found that another had taken it.
     *
     * @param resource what was owned
     */
    default void leaseLost(String resource) {}

    /**
     * A write was refused because its lease had been taken by another node. Nothing of it was committed.
     *
     * @param resource what had been owned
     */
    default void fenced(String resource) {}

    /**
     * The database had forgotten commits that this process remembered (crash, promotion of a lagging standby,
     * restore). Nothing was committed, and all memory of it was reloaded.
     *
     * @param resource whose memory
     */
    default void reloaded(String resource) {}

    /**
     * The database can't be reached. Told once per outage.
     *
     * @param cause what was seen
     */
    default void storeUnavailable(Throwable cause) {}

    /** The database can be reached again. */
    default void storeAvailable() {}
}
