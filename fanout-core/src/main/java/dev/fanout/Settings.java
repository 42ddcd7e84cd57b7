// SPDX-License-Identifier: Apache-2.0
package dev.fanout;

import java.time.Duration;

/**
 * The engine's numbers, each with its default and the reason for it. Immutable; begin with {@link #defaults()}.
 *
 * @param pollInterval how often the relay looks without being woken. A backstop: it bounds recovery after a lost wake,
 *     not latency. Default 1 s: an idle engine stays under three statements a second
 * @param awakeFor how long the relay keeps polling by itself after the last row, before it asks to be woken again.
 *     Default 100 ms: longer than the pause between two appends of a busy application
 * @param wakeMode when an append notifies. Default {@link WakeMode#ADAPTIVE}
 * @param reconcileInterval how often a node compares what it should run with what it runs. Default 1 s
 * @param heartbeatInterval how often a node raises its counter. Default 2 s: five chances within a lease
 * @param leaseLength how long a counter must stand still before its node counts as dead. Default 10 s: longer than a
 *     full garbage collection or a network hiccup, short enough for people
 * @param slabRecords how many records a relay publishes, or a cursor reads, at a time. Default 4096: larger ones gain
 *     nothing
 * @param slabBytes how many bytes of payload a slab holds; a record over it travels alone. Default 4 MiB
 * @param linger how long a busy cursor may wait to fatten a slab that is far from full. Default 25 ms; an idle cursor
 *     never waits
 * @param retryBackoff the first pause after a failure; it doubles, with jitter. Default 1 s
 * @param retryBackoffCap the longest pause after failures. Default 1 minute
 * @param payloadBytes the largest payload with its headers, and the largest state, in bytes of UTF-8 as they are read:
 *     numbers without exponent, a blank after each comma and colon. Default 1 MiB: larger facts belong in an object
 *     store, with their address in the event
 */
public record Settings(
        Duration pollInterval,
        Duration awakeFor,
        WakeMode wakeMode,
        Duration reconcileInterval,
        Duration heartbeatInterval,
        Duration leaseLength,
        int slabRecords,
        int slabBytes,
        Duration linger,
        Duration retryBackoff,
        Duration retryBackoffCap,
        int payloadBytes) {

    /** Far more than any of them can mean, and far less than nanoseconds can count. */
    private static final Duration LONGEST = Duration.ofDays(365);

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a duration or size is not positive or a duration over a year, or the lease is shorter than three
     *     heartbeats
     */
    public Settings {
        positive("pollInterval", pollInterval);
        positive("awakeFor", awakeFor);
        positive("reconcileInterval", reconcileInterval);
        positive("heartbeatInterval", heartbeatInterval);
        positive("leaseLength", leaseLength);
        positive("retryBackoff", retryBackoff);
        positive("retryBackoffCap", retryBackoffCap);
        positive("slabRecords", slabRecords);
        positive("slabBytes", slabBytes);
        positive("payloadBytes", payloadBytes);
        if (linger.isNegative()) {
            throw new IllegalArgumentException("linger " + linger + ": use zero or more");
        }
        notEndless("linger", linger);
        if (leaseLength.compareTo(heartbeatInterval.multipliedBy(3)) < 0) {
            throw new IllegalArgumentException("leaseLength " + leaseLength + " is shorter than three heartbeats of "
                    + heartbeatInterval + ": one lost heartbeat would cost the lease");
        }
    }

    /**
     * Returns the defaults.
     *
     * @return the settings
     */
    public static Settings defaults() {
        return new Settings(
                Duration.ofSeconds(1),
                Duration.ofMillis(100),
                WakeMode.ADAPTIVE,
                Duration.ofSeconds(1),
                Duration.ofSeconds(2),
                Duration.ofSeconds(10),
                4096,
                4 << 20,
                Duration.ofMillis(25),
                Duration.ofSeconds(1),
                Duration.ofMinutes(1),
                1 << 20);
    }

    /**
     * Returns these settings with another {@link #pollInterval()}.
     *
     * @param value the new value
     * @return the settings
     */
    public Settings pollInterval(Duration value) {
        return new Settings(
                value,
                awakeFor,
                wakeMode,
                reconcileInterval,
                heartbeatInterval,
                leaseLength,
                slabRecords,
                slabBytes,
                linger,
                retryBackoff,
                retryBackoffCap,
                payloadBytes);
    }

    /**
     * Returns these settings with another {@link #awakeFor()}.
     *
     * @param value the new value
     * @return the settings
     */
    public Settings awakeFor(Duration value) {
        return new Settings(
                pollInterval,
                value,
                wakeMode,
                reconcileInterval,
                heartbeatInterval,
                leaseLength,
                slabRecords,
                slabBytes,
                linger,
                retryBackoff,
                retryBackoffCap,
                payloadBytes);
    }

    /**
     * Returns these settings with another {@link #wakeMode()}.
     *
     * @param value the new value
     * @return the settings
     */
    public Settings wakeMode(WakeMode value) {
        return new Settings(
                pollInterval,
                awakeFor,
                value,
                reconcileInterval,
                heartbeatInterval,
                leaseLength,
                slabRecords,
                slabBytes,
                linger,
                retryBackoff,
                retryBackoffCap,
                payloadBytes);
    }

    /**
     * Returns these settings with another {@link #reconcileInterval()}.
     *
     * @param value the new value
     * @return the settings
     */
    public Settings reconcileInterval(Duration value) {
        return new Settings(
                pollInterval,
                awakeFor,
                wakeMode,
                value,
                heartbeatInterval,
                leaseLength,
                slabRecords,
                slabBytes,
                linger,
                retryBackoff,
                retryBackoffCap,
                payloadBytes);
    }

    /**
     * Returns these settings with another {@link #heartbeatInterval()}.
     *
     * @param value the new value
     * @return the settings
     */
    public Settings heartbeatInterval(Duration value) {
        return new Settings(
                pollInterval,
                awakeFor,
                wakeMode,
                reconcileInterval,
                value,
                leaseLength,
                slabRecords,
                slabBytes,
                linger,
                retryBackoff,
                retryBackoffCap,
                payloadBytes);
    }

    /**
     * Returns these settings with another {@link #leaseLength()}.
     *
     * @param value the new value
     * @return the settings
     */
    public Settings leaseLength(Duration value) {
        return new Settings(
                pollInterval,
                awakeFor,
                wakeMode,
                reconcileInterval,
                heartbeatInterval,
                value,
                slabRecords,
                slabBytes,
                linger,
                retryBackoff,
                retryBackoffCap,
                payloadBytes);
    }

    /**
     * Returns these settings with another {@link #slabRecords()}.
     *
     * @param value the new value
     * @return the settings
     */
    public Settings slabRecords(int value) {
        return new Settings(
                pollInterval,
                awakeFor,
                wakeMode,
                reconcileInterval,
                heartbeatInterval,
                leaseLength,
                value,
                slabBytes,
                linger,
                retryBackoff,
                retryBackoffCap,
                payloadBytes);
    }

    /**
     * Returns these settings with another {@link #slabBytes()}.
     *
     * @param value the new value
     * @return the settings
     */
    public Settings slabBytes(int value) {
        return new Settings(
                pollInterval,
                awakeFor,
                wakeMode,
                reconcileInterval,
                heartbeatInterval,
                leaseLength,
                slabRecords,
                value,
                linger,
                retryBackoff,
                retryBackoffCap,
                payloadBytes);
    }

    /**
     * Returns these settings with another {@link #linger()}.
     *
     * @param value the new value
     * @return the settings
     */
    public Settings linger(Duration value) {
        return new Settings(
                pollInterval,
                awakeFor,
                wakeMode,
                reconcileInterval,
                heartbeatInterval,
                leaseLength,
                slabRecords,
                slabBytes,
                value,
                retryBackoff,
                retryBackoffCap,
                payloadBytes);
    }

    /**
     * Returns these settings with another {@link #retryBackoff()}.
     *
     * @param value the new value
     * @return the settings
     */
    public Settings retryBackoff(Duration value) {
        return new Settings(
                pollInterval,
                awakeFor,
                wakeMode,
                reconcileInterval,
                heartbeatInterval,
                leaseLength,
                slabRecords,
                slabBytes,
                linger,
                value,
                retryBackoffCap,
                payloadBytes);
    }

    /**
     * Returns these settings with another {@link #retryBackoffCap()}.
     *
     * @param value the new value
     * @return the settings
     */
    public Settings retryBackoffCap(Duration value) {
        return new Settings(
                pollInterval,
                awakeFor,
                wakeMode,
                reconcileInterval,
                heartbeatInterval,
                leaseLength,
                slabRecords,
                slabBytes,
                linger,
                retryBackoff,
                value,
                payloadBytes);
    }

    /**
     * Returns these settings with another {@link #payloadBytes()}.
     *
     * @param value the new value
     * @return the settings
     */
    public Settings payloadBytes(int value) {
        return new Settings(
                pollInterval,
                awakeFor,
                wakeMode,
                reconcileInterval,
                heartbeatInterval,
                leaseLength,
                slabRecords,
                slabBytes,
                linger,
                retryBackoff,
                retryBackoffCap,
                value);
    }

    private static void positive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " " + value + ": use more than zero");
        }
        notEndless(name, value);
    }

    private static void notEndless(String name, Duration value) {
        if (value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(name + " " + value + ": use at most " + LONGEST.toDays() + " days");
        }
    }

    private static void positive(String name, int value) {
        if (value <= 0) {
            throw new IllegalArgumentException(name + " " + value + ": use more than zero");
        }
    }
}
