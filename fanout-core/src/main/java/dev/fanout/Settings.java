// SPDX-License-Identifier: Apache-2.0
package dev.fanout;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * The engine's numbers, each with its default and the reason for it. Immutable; begin with {@link #defaults()}.
 *
 * <p>Every method that changes one throws {@link IllegalArgumentException} if a duration or size is not positive, a duration is
 * over a year, or the lease is shorter than three heartbeats.
 */
public final class Settings implements Cloneable {

    /** Far more than any of them can mean, and far less than nanoseconds can count. */
    private static final Duration LONGEST = Duration.ofDays(365);

    private Duration pollInterval = Duration.ofSeconds(1);
    private Duration awakeFor = Duration.ofMillis(100);
    private WakeMode wakeMode = WakeMode.ADAPTIVE;
    private Duration reconcileInterval = Duration.ofSeconds(1);
    private Duration heartbeatInterval = Duration.ofSeconds(2);
    private Duration leaseLength = Duration.ofSeconds(10);
    private int slabRecords = 4096;
    private int slabBytes = 4 << 20;
    private Duration linger = Duration.ofMillis(25);
    private Duration retryBackoff = Duration.ofSeconds(1);
    private Duration retryBackoffCap = Duration.ofMinutes(1);
    private int payloadBytes = 1 << 20;
    private Duration handlerTimeout = Duration.ofMinutes(1);
    private int attempts = 5;
    private Duration undecidedFor = Duration.ofMinutes(15);
    private Duration streamRetention = Duration.ofDays(7);
    private long memoryBytes = 16L << 20;

    private Settings() {}

    /**
     * Returns the defaults.
     *
     * @return the settings
     */
    public static Settings defaults() {
        return new Settings();
    }

    private Settings with(Consumer<Settings> change) {
        Settings copy;
        try {
            copy = (Settings) clone();
        } catch (CloneNotSupportedException impossible) {
            throw new IllegalStateException(impossible);
        }
        change.accept(copy);
        copy.check();
        return copy;
    }

    private void check() {
        if (linger.isNegative()) {
            throw new IllegalArgumentException("linger " + linger + ": use zero or more");
        }
        notEndless("linger", linger);
        notEndless("linger", linger);
        if (leaseLength.compareTo(heartbeatInterval.multipliedBy(3)) < 0) {
            throw new IllegalArgumentException("leaseLength " + leaseLength + " is shorter than three heartbeats of "
                    + heartbeatInterval + ": one lost heartbeat would cost the lease");
        }
    }

    /**
     * {@return how often the relay looks without being woken. A backstop: it bounds recovery after a lost wake, not
     * latency. Default 1 s: an idle engine stays under three statements a second}
     */
    public Duration pollInterval() {
        return pollInterval;
    }

    /**
     * Sets {@link #pollInterval()}.
     *
     * @param value the new value
     * @return the settings with it
     */
    public Settings pollInterval(Duration value) {
        return with(copy -> copy.pollInterval = positive("pollInterval", value));
    }

    /**
     * {@return how long the relay keeps polling by itself after the last row, before it asks to be woken again.
     * Default 100 ms: longer than the pause between two appends of a busy application}
     */
    public Duration awakeFor() {
        return awakeFor;
    }

    /**
     * Sets {@link #awakeFor()}.
     *
     * @param value the new value
     * @return the settings with it
     */
    public Settings awakeFor(Duration value) {
        return with(copy -> copy.awakeFor = positive("awakeFor", value));
    }

    /**
     * {@return when an append notifies. Default {@link WakeMode#ADAPTIVE}}
     */
    public WakeMode wakeMode() {
        return wakeMode;
    }

    /**
     * Sets {@link #wakeMode()}.
     *
     * @param value the new value
     * @return the settings with it
     */
    public Settings wakeMode(WakeMode value) {
        return with(copy -> copy.wakeMode = value);
    }

    /**
     * {@return how often a node compares what it should run with what it runs. Default 1 s}
     */
    public Duration reconcileInterval() {
        return reconcileInterval;
    }

    /**
     * Sets {@link #reconcileInterval()}.
     *
     * @param value the new value
     * @return the settings with it
     */
    public Settings reconcileInterval(Duration value) {
        return with(copy -> copy.reconcileInterval = positive("reconcileInterval", value));
    }

    /**
     * {@return how often a node raises its counter. Default 2 s: five chances within a lease}
     */
    public Duration heartbeatInterval() {
        return heartbeatInterval;
    }

    /**
     * Sets {@link #heartbeatInterval()}.
     *
     * @param value the new value
     * @return the settings with it
     */
    public Settings heartbeatInterval(Duration value) {
        return with(copy -> copy.heartbeatInterval = positive("heartbeatInterval", value));
    }

    /**
     * {@return how long a counter must stand still before its node counts as dead. Default 10 s: longer than a full
     * garbage collection or a network hiccup, short enough for people}
     */
    public Duration leaseLength() {
        return leaseLength;
    }

    /**
     * Sets {@link #leaseLength()}.
     *
     * @param value the new value
     * @return the settings with it
     */
    public Settings leaseLength(Duration value) {
        return with(copy -> copy.leaseLength = positive("leaseLength", value));
    }

    /**
     * {@return how many records a relay publishes, or a cursor reads, at a time. Default 4096: larger ones gain
     * nothing}
     */
    public int slabRecords() {
        return slabRecords;
    }

    /**
     * Sets {@link #slabRecords()}.
     *
     * @param value the new value
     * @return the settings with it
     */
    public Settings slabRecords(int value) {
        return with(copy -> copy.slabRecords = positive("slabRecords", value));
    }

    /**
     * {@return how many bytes of payload a slab holds; a record over it travels alone. Default 4 MiB}
     */
    public int slabBytes() {
        return slabBytes;
    }

    /**
     * Sets {@link #slabBytes()}.
     *
     * @param value the new value
     * @return the settings with it
     */
    public Settings slabBytes(int value) {
        return with(copy -> copy.slabBytes = positive("slabBytes", value));
    }

    /**
     * {@return how long a busy cursor may wait to fatten a slab that is far from full. Default 25 ms; an idle cursor
     * never waits}
     */
    public Duration linger() {
        return linger;
    }

    /**
     * Sets {@link #linger()}.
     *
     * @param value the new value
     * @return the settings with it
     */
    public Settings linger(Duration value) {
        return with(copy -> copy.linger = value);
    }

    /**
     * {@return the first pause after a failure; it doubles, with jitter. Default 1 s}
     */
    public Duration retryBackoff() {
        return retryBackoff;
    }

    /**
     * Sets {@link #retryBackoff()}.
     *
     * @param value the new value
     * @return the settings with it
     */
    public Settings retryBackoff(Duration value) {
        return with(copy -> copy.retryBackoff = positive("retryBackoff", value));
    }

    /**
     * {@return the longest pause after failures. Default 1 minute}
     */
    public Duration retryBackoffCap() {
        return retryBackoffCap;
    }

    /**
     * Sets {@link #retryBackoffCap()}.
     *
     * @param value the new value
     * @return the settings with it
     */
    public Settings retryBackoffCap(Duration value) {
        return with(copy -> copy.retryBackoffCap = positive("retryBackoffCap", value));
    }

    /**
     * {@return the largest payload with its headers, and the largest state, in bytes of UTF-8 as they are read: numbers
     * without exponent, a blank after each comma and colon. Default 1 MiB: larger facts belong in an object store, with
     * their address in the event}
     */
    public int payloadBytes() {
        return payloadBytes;
    }

    /**
     * Sets {@link #payloadBytes()}.
     *
     * @param value the new value
     * @return the settings with it
     */
    public Settings payloadBytes(int value) {
        return with(copy -> copy.payloadBytes = positive("payloadBytes", value));
    }

    /**
     * {@return how long one call of a projection may take before it is interrupted and counts as failed. Default 1
     * minute: the engine hands over no more events at a time than took about a second lately}
     */
    public Duration handlerTimeout() {
        return handlerTimeout;
    }

    /**
     * Sets {@link #handlerTimeout()}.
     *
     * @param value the new value
     * @return the settings with it
     */
    public Settings handlerTimeout(Duration value) {
        return with(copy -> copy.handlerTimeout = positive("handlerTimeout", value));
    }

    /**
     * {@return how often an event is tried that fails while others succeed, before its entity is set aside. Default 5:
     * some 15 seconds with the default back-off, longer than most hiccups}
     */
    public int attempts() {
        return attempts;
    }

    /**
     * Sets {@link #attempts()}.
     *
     * @param value the new value
     * @return the settings with it
     */
    public Settings attempts(int value) {
        return with(copy -> copy.attempts = positive("attempts", value));
    }

    /**
     * {@return how long an event may keep failing on a child that has nothing else to deliver, so that nobody can tell
     * a broken event from a broken store, before its entity is set aside. Default 15 minutes: longer than most
     * outages}
     */
    public Duration undecidedFor() {
        return undecidedFor;
    }

    /**
     * Sets {@link #undecidedFor()}.
     *
     * @param value the new value
     * @return the settings with it
     */
    public Settings undecidedFor(Duration value) {
        return with(copy -> copy.undecidedFor = positive("undecidedFor", value));
    }

    /**
     * {@return how long published records are kept for children that fall behind, where the stream does not say
     * itself. Default 7 days: longer than a weekend and the people who come back from it}
     */
    public Duration streamRetention() {
        return streamRetention;
    }

    /**
     * Sets {@link #streamRetention()}.
     *
     * @param value the new value
     * @return the settings with it
     */
    public Settings streamRetention(Duration value) {
        return with(copy -> copy.streamRetention = positive("streamRetention", value));
    }

    /**
     * {@return how many bytes of payload a node keeps in memory for all its cursors together. Default 16 MiB: four slabs,
     * whatever the number of children}
     */
    public long memoryBytes() {
        return memoryBytes;
    }

    /**
     * Sets {@link #memoryBytes()}.
     *
     * @param value the new value
     * @return the settings with it
     */
    public Settings memoryBytes(long value) {
        return with(copy -> copy.memoryBytes = positive("memoryBytes", value));
    }

    private static Duration positive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " " + value + ": use more than zero");
        }
        return notEndless(name, value);
    }

    private static Duration notEndless(String name, Duration value) {
        if (value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(name + " " + value + ": use at most " + LONGEST.toDays() + " days");
        }
        return value;
    }

    private static int positive(String name, int value) {
        return Math.toIntExact(positive(name, (long) value));
    }

    private static long positive(String name, long value) {
        if (value <= 0) {
            throw new IllegalArgumentException(name + " " + value + ": use more than zero");
        }
        return value;
    }
}
