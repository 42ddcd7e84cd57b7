// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.order;

import com.zaxxer.hikari.HikariDataSource;
import dev.fanout.Fanout;
import dev.fanout.postgres.PostgresStore;
import dev.fanout.postgres.tests.kit.Books;
import dev.fanout.postgres.tests.kit.Diary;
import dev.fanout.postgres.tests.kit.Engines;
import dev.fanout.postgres.tests.kit.SkewedStore;
import dev.fanout.testkit.FanoutTest;
import dev.fanout.testkit.TestDatabase;
import java.sql.Connection;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Scar 8: an older replica's clock ran ahead, and order followed it. */
@FanoutTest
class ClocksTest {

    @Test
    void engines_whose_clocks_are_two_hours_apart_deliver_in_the_order_of_versions(TestDatabase database) {
        Diary diary = new Diary();
        try (HikariDataSource pool = database.pool(6);
                Fanout<Connection> ahead = engine(pool, diary, Duration.ofHours(1));
                Fanout<Connection> behind = engine(pool, diary, Duration.ofHours(-1))) {
            ahead.start();
            behind.start();
            for (int i = 0; i < 50; i++) {
                Engines.append(ahead, "x");
                Engines.append(behind, "x");
            }
            diary.awaitLine("x", 100);
            new Books(database).awaitDrained();
        }
        diary.assertToldOnceInOrder();
        new Books(database).assertBalanced();
    }

    private static Fanout<Connection> engine(HikariDataSource pool, Diary diary, Duration skew) {
        return Fanout.builder(new SkewedStore(PostgresStore.of(pool), skew)).settings(Engines.BRISK).stream(
                        Engines.STREAM, stream -> stream.entities("asset"))
                .child(
                        Engines.CHILD,
                        child -> child.of(Engines.STREAM).projection(diary).fromBeginning())
                .build();
    }
}
