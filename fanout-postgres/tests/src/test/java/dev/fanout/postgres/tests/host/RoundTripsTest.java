// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fanout.VersionConflictException;
import dev.fanout.postgres.tests.Shop;
import dev.fanout.spi.Appends.EntityAppend;
import dev.fanout.testkit.FanoutTest;
import dev.fanout.testkit.TcpProxy;
import dev.fanout.testkit.TestDatabase;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

@FanoutTest
class RoundTripsTest {

    @Test
    void an_append_is_one_round_trip_whatever_it_carries(TestDatabase database) throws Exception {
        try (TcpProxy proxy = TcpProxy.inFrontOf(database.jdbcUrl());
                Shop shop = Shop.on(database.dataSource());
                Connection tx = connect(proxy, database)) {
            tx.setAutoCommit(false);

            assertOneRoundTrip(proxy, tx, shop, List.of(shop.asset("a", "asset.created")));
            assertOneRoundTrip(proxy, tx, shop, List.of(shop.asset("a", "asset.renamed", "asset.moved", "asset.sold")));
            assertOneRoundTrip(
                    proxy,
                    tx,
                    shop,
                    List.of(shop.asset("a", OptionalLong.of(4), Optional.of("cmd-1"), "asset.renamed")));
            List<EntityAppend> batch = new ArrayList<>();
            for (int i = 100; i < 600; i++) {
                batch.add(shop.asset("batch-" + i, "asset.created"));
            }
            assertOneRoundTrip(proxy, tx, shop, batch);
        }
    }

    @Test
    void an_append_stays_one_round_trip_once_the_driver_has_prepared_it(TestDatabase database) throws Exception {
        try (TcpProxy proxy = TcpProxy.inFrontOf(database.jdbcUrl());
                Shop shop = Shop.on(database.dataSource());
                Connection tx = connect(proxy, database)) {
            tx.setAutoCommit(false);
            for (int i = 0; i < 12; i++) {
                assertOneRoundTrip(proxy, tx, shop, List.of(shop.asset("prepared", "asset.renamed")));
            }
        }
    }

    @Test
    void only_an_append_that_is_refused_takes_a_second_round_trip_to_say_why(TestDatabase database) throws Exception {
        try (TcpProxy proxy = TcpProxy.inFrontOf(database.jdbcUrl());
                Shop shop = Shop.on(database.dataSource());
                Connection tx = connect(proxy, database)) {
            tx.setAutoCommit(false);
            EntityAppend first = shop.asset("expected", OptionalLong.of(0), Optional.empty(), "asset.created");
            EntityAppend second = shop.asset("expected", OptionalLong.of(1), Optional.empty(), "asset.renamed");

            assertOneRoundTrip(proxy, tx, shop, List.of(first));
            assertOneRoundTrip(proxy, tx, shop, List.of(second));
            for (EntityAppend stale : List.of(first, second)) {
                assertRoundTrips(
                        proxy,
                        2,
                        () -> assertThatThrownBy(() -> shop.store().appends().append(tx, List.of(stale)))
                                .isInstanceOf(VersionConflictException.class));
            }
        }
    }

    private static void assertOneRoundTrip(TcpProxy proxy, Connection tx, Shop shop, List<EntityAppend> batch)
            throws Exception {
        assertRoundTrips(proxy, 1, () -> shop.store().appends().append(tx, batch));
        tx.commit();
    }

    private static void assertRoundTrips(TcpProxy proxy, long expected, Runnable work) {
        long before = proxy.roundTrips();
        work.run();
        assertThat(proxy.roundTrips() - before).as("round trips").isEqualTo(expected);
    }

    private static Connection connect(TcpProxy proxy, TestDatabase database) throws Exception {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(proxy.jdbcUrl());
        source.setUser(database.user());
        source.setPassword(database.password());
        return source.getConnection();
    }
}
