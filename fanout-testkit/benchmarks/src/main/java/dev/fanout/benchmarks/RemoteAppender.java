// SPDX-License-Identifier: Apache-2.0
package dev.fanout.benchmarks;

import dev.fanout.benchmarks.PacedAppends.Commit;
import dev.fanout.benchmarks.Way.Appender;
import dev.fanout.benchmarks.Ways.Address;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Another process that only appends. {@link System#nanoTime()} is one clock for all processes of a Linux machine. */
public final class RemoteAppender {

    /** What the last line says. */
    static final String DONE = "done";

    private RemoteAppender() {}

    /**
     * Appends, then prints when each commit had returned.
     *
     * @param args the way, the database's URL, user and password, warm-up, samples, pause in nanoseconds
     * @throws SQLException if the database fails
     */
    public static void main(String[] args) throws SQLException {
        Address address = new Address(args[1], args[2], args[3]);
        PacedAppends paced = new PacedAppends(
                Integer.parseInt(args[4]), Integer.parseInt(args[5]), Duration.ofNanos(Long.parseLong(args[6])));
        try (Way way = Ways.valueOf(args[0]).on(address);
                Appender appender = way.appender()) {
            paced.run(appender).forEach(RemoteAppender::print);
            System.out.println(DONE);
        }
    }

    /** Reads what {@link #main} printed. */
    static List<Commit> read(String output) {
        return output.lines()
                .map(line -> line.split(" "))
                .filter(words -> words.length == 4 && words[0].equals("committed"))
                .map(words -> new Commit(words[1], Long.parseLong(words[2]), Long.parseLong(words[3])))
                .toList();
    }

    private static void print(Commit commit) {
        System.out.println("committed " + commit.entity() + " " + commit.version() + " " + commit.at());
    }
}
