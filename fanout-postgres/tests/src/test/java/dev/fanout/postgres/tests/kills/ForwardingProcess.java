// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.kills;

import com.zaxxer.hikari.HikariDataSource;
import dev.fanout.Fanout;
import dev.fanout.StreamSpec.Partitioner;
import dev.fanout.postgres.tests.kit.Engines;
import java.sql.Connection;

/** An engine with a tree of streams, in a process of its own. */
final class ForwardingProcess {

    private ForwardingProcess() {}

    public static void main(String[] arguments) throws Exception {
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(arguments[0]);
            pool.setUsername(arguments[1]);
            pool.setMaximumPoolSize(4);
            try (Fanout<Connection> fanout = engine(pool)) {
                fanout.start();
                System.out.println("started");
                System.out.println("told to stop: " + System.in.read());
            }
        }
    }

    /** assets (2 partitions) -> retries (3) -> archive (2, by tenant) -> leaf (1), and a table of what came out there. */
    static Fanout<Connection> engine(HikariDataSource pool) {
        return Engines.on(pool, 2).stream("retries", stream -> stream.partitions(3)).stream(
                        "archive", stream -> stream.partitions(2).partitioner(Partitioner.TENANT))
                .stream("leaf", stream -> stream)
                .child("to-retries", child -> child.of(Engines.STREAM).stream("retries"))
                .child("to-archive", child -> child.of("retries").stream("archive"))
                .child("to-leaf", child -> child.of("archive").stream("leaf"))
                .child("applied", child -> child.of("leaf").transactional(new Applied(event -> {})))
                .build();
    }
}
