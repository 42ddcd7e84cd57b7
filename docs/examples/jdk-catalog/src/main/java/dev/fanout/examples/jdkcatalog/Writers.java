// SPDX-License-Identifier: Apache-2.0
package dev.fanout.examples.jdkcatalog;

import dev.fanout.VersionConflictException;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Several writers who all want the same few assets in a package of their own. Each reads, decides, and writes expecting
 * the version that it read; who comes second is refused, rolls back, reads again and decides again.
 */
final class Writers {

    private final Assets assets;
    private final List<String> hot;
    private final Progress progress;
    private final AtomicLong conflicts = new AtomicLong();

    Writers(Assets assets, List<String> hot, Progress progress) {
        this.assets = assets;
        this.hot = hot;
        this.progress = progress;
    }

    /** Lets so many writers make so many changes each. */
    void fight(int writers, int changesEach) throws InterruptedException {
        List<Integer> all = IntStream.range(0, writers).boxed().toList();
        Parallel.forEach(writers, all, writer -> {
            for (int i = 0; i < changesEach; i++) {
                move(hot.get(ThreadLocalRandom.current().nextInt(hot.size())), "desk." + writer);
                progress.add(1);
            }
        });
    }

    long conflicts() {
        return conflicts.get();
    }

    private void move(String id, String desk) throws SQLException {
        while (!tryToMove(id, desk)) {
            conflicts.incrementAndGet();
        }
    }

    private boolean tryToMove(String id, String desk) throws SQLException {
        Assets.Row row = assets.read(id);
        try {
            assets.write(row.to(row.asset().movedTo(desk)));
            return true;
        } catch (VersionConflictException rolledBack) {
            return false;
        }
    }
}
