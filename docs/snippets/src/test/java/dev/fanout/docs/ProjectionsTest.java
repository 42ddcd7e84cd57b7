// SPDX-License-Identifier: Apache-2.0
package dev.fanout.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.Append;
import dev.fanout.EntityRef;
import dev.fanout.Event;
import dev.fanout.Fanout;
import dev.fanout.Outcome;
import dev.fanout.Projection;
import dev.fanout.TransactionalProjection;
import dev.fanout.postgres.PostgresStore;
import dev.fanout.testkit.AppendRecorder;
import dev.fanout.testkit.Drained;
import dev.fanout.testkit.Events;
import dev.fanout.testkit.FanoutTest;
import dev.fanout.testkit.ProjectionContract;
import dev.fanout.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The snippets of the guide to projections. */
@FanoutTest
class ProjectionsTest {

    private final TestDatabase database;

    ProjectionsTest(TestDatabase database) {
        this.database = database;
    }

    // snippet: transactional
    static final class NamesTable implements TransactionalProjection<Connection> {

        @Override
        public Outcome apply(Event event, Connection tx) throws SQLException {
            try (PreparedStatement upsert = tx.prepareStatement("insert into asset_name (id, name) values (?, ?)"
                    + " on conflict (id) do update set name = excluded.name")) {
                upsert.setString(1, event.entity().id());
                upsert.setString(2, event.payload().as(String.class));
                upsert.executeUpdate();
            }
            return Outcome.applied();
        }
    }
    // end

    // snippet: self-gated
    static final class NamesCache implements Projection {

        private final Map<String, Entry> cache = new HashMap<>();

        record Entry(long version, boolean deleted, String name) {}

        @Override
        public Outcome apply(Event event) {
            Entry newer = new Entry(
                    event.gateVersion(), event.deleted(), event.payload().json());
            cache.merge(
                    event.entity().id(),
                    newer,
                    (there, arriving) ->
                            arriving.version() > there.version() ? arriving : there); // the store refuses older writes
            return Outcome.applied();
        }

        @Override
        public void reset() {
            cache.clear();
        }
    }
    // end

    @Test
    void derived_rows_and_a_cache_follow_the_primary() throws Exception {
        database.execute("create table asset_name (id text primary key, name text not null)");
        NamesCache cache = new NamesCache();
        try (Fanout<Connection> fanout = Fanout.builder(PostgresStore.of(database.pool(5))).stream(
                        "names", s -> s.entities("asset"))
                .child("names-table", c -> c.of("names").transactional(new NamesTable()))
                .child("names-cache", c -> c.of("names").selfGated(cache))
                .build()) {
            fanout.start();
            fanout.inTransaction(
                    tx -> fanout.append(tx, Append.to("asset", "42").event("asset.renamed", "pump-7")));
            Drained.await(fanout, Duration.ofSeconds(30));
        }
        assertThat(database.text("select name from asset_name where id = '42'")).isEqualTo("pump-7");
        assertThat(cache.cache.get("42").name()).isEqualTo("\"pump-7\"");
    }

    // snippet: contract
    @Nested
    class NamesCacheContract extends ProjectionContract {

        private final NamesCache cache = new NamesCache();
        private boolean broken;

        @Override
        protected Projection projection() {
            cache.reset();
            return new Projection() {
                @Override
                public Outcome apply(Event event) {
                    return broken ? Outcome.retry(Duration.ofSeconds(1)) : cache.apply(event);
                }

                @Override
                public void reset() {
                    cache.reset();
                }
            };
        }

        @Override
        protected Event event(EntityRef entity, long version) {
            return Events.of(entity, version, "asset.renamed", "name-" + version);
        }

        @Override
        protected @Nullable Object read(EntityRef entity) {
            NamesCache.Entry entry = cache.cache.get(entity.id());
            return entry == null || entry.deleted() ? null : entry.name();
        }

        @Override
        protected Object readAll() {
            return cache.cache.size();
        }

        @Override
        protected void breakStore() {
            broken = true;
        }

        @Override
        protected void mendStore() {
            broken = false;
        }
    }
    // end

    @Test
    void code_that_appends_is_tested_without_a_database() {
        // snippet: recorder
        AppendRecorder<Connection> recorder = AppendRecorder.create();
        Fanout<Connection> fanout = Fanout.builder(recorder).stream("assets", s -> s.entities("asset"))
                .build();

        fanout.append(null, Append.to("asset", "42").event("asset.renamed", "pump-7")); // your code, with any handle

        assertThat(recorder.events()).extracting(Event::type).containsExactly("asset.renamed");
        // end
        fanout.close();
    }
}
