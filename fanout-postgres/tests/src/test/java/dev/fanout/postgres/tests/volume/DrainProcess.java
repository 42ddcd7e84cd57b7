// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.volume;

import com.zaxxer.hikari.HikariDataSource;
import dev.fanout.Fanout;
import dev.fanout.Outcome;
import dev.fanout.Settings;
import dev.fanout.postgres.tests.kit.Engines;
import java.sql.Connection;
import java.util.concurrent.CountDownLatch;

/** An engine in a process of its own that ends when so many events are applied. */
final class DrainProcess {

    private DrainProcess() {}

    public static void main(String[] arguments) throws Exception {
        long rows = Long.parseLong(arguments[2]);
        CountDownLatch left = new CountDownLatch(Math.toIntExact(rows));
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(arguments[0]);
            pool.setUsername(arguments[1]);
            pool.setMaximumPoolSize(3);
            try (Fanout<Connection> fanout = engine(pool, left)) {
                fanout.start();
                left.await();
            }
        }
        System.out.println("drained " + rows);
    }

    private static Fanout<Connection> engine(HikariDataSource pool, CountDownLatch left) {
        return Engines.on(pool)
                .settings(Settings.defaults())
                .child(
                        Engines.CHILD,
                        child -> child.of(Engines.STREAM)
                                .projection(event -> {
                                    left.countDown();
                                    return Outcome.applied();
                                })
                                .fromBeginning())
                .build();
    }
}
