// SPDX-License-Identifier: Apache-2.0
package dev.fanout.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * How much of everything a run does.
 *
 * @param durable whether the server writes to disk before it acknowledges
 * @param rounds how many rounds the ways take turns for
 * @param warmUp how long appenders run before anything is counted
 * @param measured how long is counted
 * @param threads the numbers of appending threads
 * @param warmUpSamples how many paced appends come before those that are counted
 * @param samples how many paced appends are counted in a round
 * @param quietSamples how many appends with long pauses are counted
 * @param drainRounds how many rounds of the drains of up to 100,000
 * @param drain the backlog of the drain beside the loop by hand
 * @param flat the backlogs whose rates are compared with the first's, the one of the plain {@code drain.flat} second
 * @param snapshot the backlog drained with a transaction held open
 * @param snapshotRounds how many rounds of that
 * @param idle how long an idle engine's statements are counted
 * @param children how much is done with children
 */
record Form(
        boolean durable,
        int rounds,
        Duration warmUp,
        Duration measured,
        List<Integer> threads,
        int warmUpSamples,
        int samples,
        int quietSamples,
        int drainRounds,
        int drain,
        List<Integer> flat,
        int snapshot,
        int snapshotRounds,
        Duration idle,
        Children children) {

    /**
     * How much is done with children.
     *
     * @param many how many children stand beside one
     * @param rounds how many rounds
     * @param events how many events wait for them in the log, and how many come then
     * @param slowEvents how many events the projection that takes 5 ms has
     * @param samples how many paced appends are counted of a child with bad neighbours, and with good ones
     * @param delayed how many records are pending
     * @param delayIdle how long statements are counted meanwhile
     */
    record Children(int many, int rounds, int events, int slowEvents, int samples, int delayed, Duration delayIdle) {}

    /** Under eight minutes on two cores. */
    static Form quick() {
        return new Form(
                true,
                3,
                Duration.ofSeconds(1),
                Duration.ofSeconds(2),
                List.of(1, 8, 32),
                200,
                300,
                12,
                3,
                50_000,
                List.of(10_000, 1_000_000),
                100_000,
                2,
                Duration.ofSeconds(10),
                new Children(100, 2, 4_000, 8_000, 300, 100_000, Duration.ofSeconds(12)));
    }

    /** Everything that the design names. */
    static Form full() {
        return new Form(
                true,
                7,
                Duration.ofSeconds(2),
                Duration.ofSeconds(10),
                List.of(1, 8, 32),
                500,
                2_000,
                100,
                9,
                50_000,
                List.of(10_000, 1_000_000, 100_000, 5_000_000),
                500_000,
                3,
                Duration.ofSeconds(60),
                new Children(100, 5, 20_000, 32_000, 1_000, 1_000_000, Duration.ofSeconds(120)));
    }

    /** Says nothing about speed: only that every figure still can be measured. */
    static Form toy() {
        return new Form(
                false,
                1,
                Duration.ofMillis(50),
                Duration.ofMillis(200),
                List.of(1, 8, 32),
                5,
                10,
                2,
                1,
                500,
                List.of(200, 1_000),
                500,
                1,
                Duration.ofSeconds(1),
                new Children(5, 1, 100, 32, 10, 100, Duration.ofSeconds(1)));
    }

    /** Finds a form by its name. */
    static Form named(String name) {
        return switch (name) {
            case "quick" -> quick();
            case "full" -> full();
            case "toy" -> toy();
            default -> throw new IllegalArgumentException("no form is called " + name + ": quick, full or toy");
        };
    }

    /** A backlog's size as it stands in the name of a figure: 10k, 1m. */
    static String sizeName(int events) {
        if (events % 1_000_000 == 0) {
            return events / 1_000_000 + "m";
        }
        return events % 1_000 == 0 ? events / 1_000 + "k" : String.format(Locale.ROOT, "%d", events);
    }
}
