// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.internal;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The POSIX signals that tests send and {@link ProcessHandle} can't. */
public enum Signal {
    /** PostgreSQL: fast shutdown. */
    INT,
    /** PostgreSQL: immediate shutdown, without a checkpoint. */
    QUIT,
    /** The process stands still, its sockets stay open. */
    STOP,
    /** A process that stands still goes on. */
    CONT;

    /**
     * Sends this signal.
     *
     * @throws IllegalStateException if there is no such process or it may not be signalled
     */
    public void sendTo(long pid) {
        // The shell's own kill: slim images have no kill program.
        List<String> command = List.of("sh", "-c", "kill -s \"$0\" \"$1\"", name(), Long.toString(pid));
        Command.Result result = Command.run(command, Map.of(), Duration.ofSeconds(10));
        if (result.exitCode() != 0) {
            throw new IllegalStateException("Could not send SIG" + name() + " to process " + pid + ": "
                    + result.output().strip());
        }
    }
}
