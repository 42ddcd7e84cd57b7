// SPDX-License-Identifier: Apache-2.0
package dev.fanout.examples.jdkcatalog;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Lets writers share a commit: one that begins after a write covers it, whoever asked for it. While one runs, all who
 * come wait for the next, and one of them runs it for all. (A database does the same with the commits of its sessions.)
 */
final class SharedCommit {

    /** Makes everything written so far durable. */
    interface Commit {
        void run() throws IOException;
    }

    private final Commit commit;
    private final Object running = new Object();
    private final AtomicLong asked = new AtomicLong();
    private long covered;

    SharedCommit(Commit commit) {
        this.commit = commit;
    }

    /** Returns once all that the caller has written is durable. */
    void commit() throws IOException {
        long mine = asked.incrementAndGet();
        synchronized (running) {
            if (covered < mine) {
                long all = asked.get();
                commit.run();
                covered = all;
            }
        }
    }
}
