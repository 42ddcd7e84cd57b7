// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.opening;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.zaxxer.hikari.HikariDataSource;
import dev.fanout.Event;
import dev.fanout.Fanout;
import dev.fanout.Outcome;
import dev.fanout.postgres.tests.kit.Engines;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Scanner;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

/** Two engines of one application, built and started when told to go. */
final class StartingProcess {

    private StartingProcess() {}

    public static void main(String[] arguments) throws Exception {
        try (HikariDataSource pool = new HikariDataSource();
                Scanner input = new Scanner(System.in, UTF_8)) {
            pool.setJdbcUrl(arguments[0]);
            pool.setUsername(arguments[1]);
            pool.setMaximumPoolSize(6);
            System.out.println("ready");
            input.nextLine();
            long started = Stream.of(1, 2)
                    .parallel()
                    .map(i -> start(pool))
                    .filter(fanout -> fanout.status().isDrained())
                    .count();
            System.out.println("started " + started);
            new CountDownLatch(1).await();
        }
    }

    private static Fanout<Connection> start(HikariDataSource pool) {
        Fanout<Connection> fanout = Engines.on(pool, 4)
                .child(
                        "told",
                        child -> child.of(Engines.STREAM)
                                .transactional(StartingProcess::tell)
                                .fromBeginning())
                .build();
        fanout.start();
        return fanout;
    }

    private static Outcome tell(Event event, Connection tx) throws SQLException {
        try (Statement statement = tx.createStatement()) {
            statement.execute("insert into told values (" + event.version() + ")");
        }
        return Outcome.applied();
    }
}
