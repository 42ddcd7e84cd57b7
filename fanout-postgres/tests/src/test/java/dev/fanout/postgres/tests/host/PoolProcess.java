// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.host;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.fanout.Fanout;
import dev.fanout.postgres.tests.kit.Diary;
import dev.fanout.postgres.tests.kit.Engines;
import java.sql.Connection;
import java.util.concurrent.TimeUnit;

/** A host whose pool is strict and small, appending and delivering for a while; whatever its pool has to say it prints. */
final class PoolProcess {

    private PoolProcess() {}

    public static void main(String[] arguments) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(arguments[0]);
        config.setUsername(arguments[1]);
        config.setMaximumPoolSize(2);
        config.setAutoCommit(false);
        config.setLeakDetectionThreshold(2_000);
        config.setMaxLifetime(30_000);
        config.setKeepaliveTime(0); // its default does not fit into such a life, and the pool says so
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(arguments[2]));
        Diary diary = new Diary();
        try (HikariDataSource pool = new HikariDataSource(config);
                Fanout<Connection> fanout = Engines.started(pool, diary)) {
            for (int i = 1; System.nanoTime() - end < 0 || i < 10; i++) {
                Engines.append(fanout, "x");
                diary.awaitLine("x", i);
            }
            System.out.println("delivered " + diary.size());
        }
    }
}
