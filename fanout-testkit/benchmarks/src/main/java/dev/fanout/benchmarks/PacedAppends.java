// SPDX-License-Identifier: Apache-2.0
package dev.fanout.benchmarks;

import dev.fanout.benchmarks.Way.Appender;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One thread that appends with pauses between.
 *
 * @param warmUp how many appends come first and are not returned
 * @param samples how many appends are returned
 * @param pause the pauses, evenly drawn between half of it and one and a half of it
 */
record PacedAppends(int warmUp, int samples, Duration pause) {

    /** An append, and when its commit had returned by {@link System#nanoTime()}. */
    record Commit(String entity, long version, long at) {

        /** The name of what it appended. */
        String event() {
            return entity + "/" + version;
        }
    }

    List<Commit> run(Appender appender) throws SQLException {
        SplittableRandom random = new SplittableRandom(1);
        List<Commit> commits = new ArrayList<>();
        for (int i = 0; i < warmUp + samples; i++) {
            String entity = Payloads.entity(random.nextInt(Payloads.ENTITIES));
            long version = appender.append(entity, Payloads.document());
            long at = System.nanoTime();
            if (i >= warmUp) {
                commits.add(new Commit(entity, version, at));
            }
            long nanos = i < warmUp ? Math.min(pause.toNanos(), 2_000_000) : pause.toNanos();
            Bench.pause(Duration.ofNanos(nanos / 2 + random.nextLong(nanos)));
        }
        return commits;
    }
}
