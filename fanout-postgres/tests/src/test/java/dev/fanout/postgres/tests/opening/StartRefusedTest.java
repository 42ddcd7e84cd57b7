// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.opening;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fanout.Settings;
import dev.fanout.StartRefusedException;
import dev.fanout.StoreUnavailableException;
import dev.fanout.StreamSpec;
import dev.fanout.postgres.MigrationMode;
import dev.fanout.postgres.PostgresStore;
import dev.fanout.postgres.tests.Shop;
import dev.fanout.spi.Declaration;
import dev.fanout.testkit.FanoutTest;
import dev.fanout.testkit.TcpProxy;
import dev.fanout.testkit.TestDatabase;
import java.util.List;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

@FanoutTest
class StartRefusedTest {

    private final TestDatabase database;

    StartRefusedTest(TestDatabase database) {
        this.database = database;
    }

    @BeforeEach
    void fresh() {
        database.execute("drop schema if exists fanout cascade");
    }

    @Test
    void a_stream_declared_otherwise_than_it_is_stored_is_refused_with_both_values() {
        open(database.dataSource(), Shop.ASSETS);

        assertThatThrownBy(opening(StreamSpec.named("assets").entities("asset").partitions(8)))
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContaining("stream assets")
                .hasMessageContaining("partitions=8")
                .hasMessageContaining("partitions=4");
        assertThatThrownBy(opening(
                        StreamSpec.named("assets").entities("asset", "site").partitions(4)))
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContaining("[asset, site]")
                .hasMessageContaining("[asset]");
    }

    @Test
    void a_child_that_hangs_on_another_stream_than_stored_is_refused_with_both_values() {
        open(database.dataSource(), child("assets", "PLAIN"));

        assertThatThrownBy(() -> open(database.dataSource(), child("audit", "PLAIN")))
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContaining("child search")
                .hasMessageContaining("stream=audit")
                .hasMessageContaining("stream=assets");
        assertThatThrownBy(() -> open(database.dataSource(), child("assets", "TRANSACTIONAL")))
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContaining("kind=TRANSACTIONAL")
                .hasMessageContaining("kind=PLAIN");
    }

    @Test
    void a_schema_newer_than_the_jar_is_refused() {
        open(database.dataSource(), Shop.ASSETS);
        database.execute("insert into fanout.flyway_schema_history"
                + " select installed_rank + 1, '99', 'later', type, 'V99__later.sql', checksum, installed_by,"
                + " installed_on, execution_time, success from fanout.flyway_schema_history");

        assertThatThrownBy(opening(Shop.ASSETS))
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContaining("version 99")
                .hasMessageContaining("upgrade fanout-postgres");
    }

    @Test
    void a_schema_made_by_another_script_is_refused() {
        open(database.dataSource(), Shop.ASSETS);
        database.execute("update fanout.flyway_schema_history set checksum = 1");

        assertThatThrownBy(opening(Shop.ASSETS))
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContaining("checksum 1");
    }

    @Test
    void an_absent_schema_is_refused_where_nothing_may_be_migrated() {
        assertThatThrownBy(() -> {
                    try (PostgresStore store = PostgresStore.builder(database.dataSource())
                            .migration(MigrationMode.VALIDATE)
                            .build()) {
                        store.open(Shop.declaration(Shop.ASSETS));
                    }
                })
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContaining("VALIDATE")
                .hasMessageContaining("PostgresStore.script()");
    }

    @Test
    void a_sequence_that_hands_out_blocks_is_refused() {
        open(database.dataSource(), Shop.ASSETS);
        database.execute("alter sequence fanout.outbox_lane_0 cache 50");

        assertThatThrownBy(opening(Shop.ASSETS))
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContaining("outbox_lane_0")
                .hasMessageContaining("CACHE 1");
    }

    @Test
    void a_session_that_can_not_write_is_refused() {
        PGSimpleDataSource readOnly = new PGSimpleDataSource();
        readOnly.setUrl(database.jdbcUrl());
        readOnly.setUser(database.user());
        readOnly.setPassword(database.password());
        readOnly.setOptions("-c default_transaction_read_only=on");

        assertThatThrownBy(() -> open(readOnly, Shop.ASSETS))
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContaining("read-only")
                .hasMessageContaining("default_transaction_read_only");
    }

    @Test
    void a_role_without_rights_is_refused_with_what_it_lacks() {
        open(database.dataSource(), Shop.ASSETS);
        String role = "stranger_" + database.name();
        database.execute("create role \"" + role + "\" login password 'x'");
        try {
            assertThatThrownBy(() -> open(as(role), Shop.ASSETS))
                    .isInstanceOf(StartRefusedException.class)
                    .hasMessageContaining(role)
                    .hasMessageContaining("usage on schema fanout")
                    .hasMessageContaining("fanout_appender");

            database.execute("grant usage on schema fanout to \"" + role + "\"");
            database.execute("grant select on fanout.flyway_schema_history, fanout.stream, fanout.attachment to \""
                    + role + "\"");
            assertThatThrownBy(() -> open(as(role), Shop.ASSETS))
                    .isInstanceOf(StartRefusedException.class)
                    .hasMessageContaining("insert on event")
                    .hasMessageContaining("insert on outbox");
        } finally {
            database.execute("drop owned by \"" + role + "\"");
            database.execute("drop role \"" + role + "\"");
        }
    }

    @Test
    void a_role_that_may_not_create_the_schema_is_refused() {
        String role = "stranger_" + database.name();
        database.execute("create role \"" + role + "\" login password 'x'");
        try {
            assertThatThrownBy(() -> open(as(role), Shop.ASSETS))
                    .isInstanceOf(StartRefusedException.class)
                    .hasMessageContaining(role)
                    .hasMessageContaining("PostgresStore.script()");
        } finally {
            database.execute("drop role \"" + role + "\"");
        }
    }

    @Test
    void a_database_that_is_down_is_not_a_refusal() {
        try (TcpProxy proxy = TcpProxy.inFrontOf(database.jdbcUrl())) {
            proxy.refuse();
            PGSimpleDataSource down = new PGSimpleDataSource();
            down.setUrl(proxy.jdbcUrl());
            down.setUser(database.user());
            down.setPassword(database.password());

            assertThatThrownBy(() -> open(down, Shop.ASSETS)).isInstanceOf(StoreUnavailableException.class);
        }
    }

    @Test
    void a_schema_name_that_is_not_plain_is_refused_at_the_call() {
        assertThatThrownBy(() -> PostgresStore.builder(database.dataSource()).schema("x\"; drop schema public"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("lower-case");
        assertThatThrownBy(() -> PostgresStore.builder(database.dataSource()).schema("pg_mine"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private ThrowingCallable opening(StreamSpec stream) {
        return () -> open(database.dataSource(), stream);
    }

    private DataSource as(String role) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(database.jdbcUrl());
        source.setUser(role);
        source.setPassword("x");
        return source;
    }

    private static Declaration child(String stream, String kind) {
        return new Declaration(
                List.of(Shop.ASSETS, StreamSpec.named("audit")),
                List.of(new Declaration.Child("search", stream, kind, true, "e")),
                Shop.CODEC,
                Settings.defaults());
    }

    private static void open(DataSource dataSource, StreamSpec... streams) {
        open(dataSource, Shop.declaration(streams));
    }

    private static void open(DataSource dataSource, Declaration declaration) {
        try (PostgresStore store = PostgresStore.of(dataSource)) {
            store.open(declaration);
        }
    }
}
