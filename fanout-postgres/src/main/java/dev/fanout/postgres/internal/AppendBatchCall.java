// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import dev.fanout.spi.Appends.EntityAppend;
import dev.fanout.spi.Appends.NewEvent;
import dev.fanout.spi.Appends.Result;
import dev.fanout.spi.Appends.Route;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The call of the database's append for a batch. Appends, events and routes travel as one array per column; events and
 * routes name their append by its number in the batch, from 1.
 */
final class AppendBatchCall {

    private final Database database;

    AppendBatchCall(Database database) {
        this.database = database;
    }

    private record Numbered<V>(int nth, V value) {}

    List<Result> run(Connection tx, List<EntityAppend> batch) throws SQLException {
        try (PreparedStatement call = tx.prepareStatement(database.statements().get("append-batch"))) {
            bindAppends(tx, call, batch);
            bindEvents(tx, call, flat(batch, EntityAppend::events));
            List<Numbered<Route>> routes = flat(batch, AppendCall::routes);
            bindRoutes(tx, call, routes);
            AppendCall.bindWake(call, 17, database, tx, !routes.isEmpty());
            try (ResultSet rows = call.executeQuery()) {
                return answers(batch, rows);
            }
        }
    }

    private static <V> List<Numbered<V>> flat(List<EntityAppend> batch, Function<EntityAppend, List<V>> part) {
        List<Numbered<V>> all = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            for (V value : part.apply(batch.get(i))) {
                all.add(new Numbered<>(i + 1, value));
            }
        }
        return all;
    }

    private static void bindAppends(Connection tx, PreparedStatement call, List<EntityAppend> batch)
            throws SQLException {
        bind(tx, call, 1, "text", batch, append -> append.entity().tenant());
        bind(tx, call, 2, "text", batch, append -> append.entity().type());
        bind(tx, call, 3, "text", batch, append -> append.entity().id());
        bind(tx, call, 4, "bigint", batch, append -> boxed(append.expecting()));
        bind(tx, call, 5, "bigint", batch, append -> boxed(append.sourceVersion()));
        bind(tx, call, 6, "text", batch, AppendCall::state);
        bind(tx, call, 7, "text", batch, append -> append.key().orElse(null));
    }

    private static void bindEvents(Connection tx, PreparedStatement call, List<Numbered<NewEvent>> events)
            throws SQLException {
        bind(tx, call, 8, "integer", events, Numbered::nth);
        bind(tx, call, 9, "uuid", events, event -> event.value().id());
        bind(tx, call, 10, "text", events, event -> event.value().type());
        bind(tx, call, 11, "text", events, event -> event.value().payload());
        bind(tx, call, 12, "text", events, event -> Headers.encode(event.value().headers()));
        bind(tx, call, 13, "boolean", events, event -> event.value().deleted());
    }

    private static void bindRoutes(Connection tx, PreparedStatement call, List<Numbered<Route>> routes)
            throws SQLException {
        bind(tx, call, 14, "integer", routes, Numbered::nth);
        bind(tx, call, 15, "integer", routes, route -> route.value().stream());
        bind(tx, call, 16, "integer", routes, route -> route.value().partition());
    }

    private static <V> void bind(
            Connection tx, PreparedStatement call, int at, String type, List<V> values, Function<V, ?> part)
            throws SQLException {
        call.setArray(at, tx.createArrayOf(type, values.stream().map(part).toArray()));
    }

    private static @Nullable Long boxed(OptionalLong value) {
        return value.isPresent() ? value.getAsLong() : null;
    }

    /** A refusal is the last row, and makes those before it void: so the rows are read to the end before any counts. */
    private static List<Result> answers(List<EntityAppend> batch, ResultSet rows) throws SQLException {
        Result[] results = new Result[batch.size()];
        while (rows.next()) {
            int nth = rows.getInt("nth") - 1;
            results[nth] = AppendCall.answer(batch.get(nth), rows);
        }
        return List.copyOf(Arrays.asList(results));
    }
}
