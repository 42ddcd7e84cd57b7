// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import dev.fanout.spi.Appends.EntityAppend;
import dev.fanout.spi.Appends.NewEvent;
import dev.fanout.spi.Appends.Route;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The usual append, one event on one route and no key, as one statement: a sixth less of the server's time than the
 * database's function. What it can't write it leaves unwritten, without a reason; {@link AppendCall} then asks the
 * function, which has one.
 */
final class AppendOneCall {

    private final Database database;

    AppendOneCall(Database database) {
        this.database = database;
    }

    static boolean fits(EntityAppend append, List<Route> routes) {
        return append.events().size() == 1 && routes.size() == 1 && append.key().isEmpty();
    }

    /** Returns the version written; empty if nothing was. */
    OptionalLong run(Connection tx, EntityAppend append, Route route) throws SQLException {
        boolean mustBeThere =
                append.expecting().isPresent() && append.expecting().getAsLong() > 0;
        String sql = database.statements().get(mustBeThere ? "append-expected" : "append-one");
        try (PreparedStatement call = tx.prepareStatement(sql)) {
            int bound = mustBeThere ? bindExpected(call, append) : bindAny(call, append);
            bindEvent(call, bound, append.events().get(0), route);
            AppendCall.bindWake(call, bound + 9, database, tx, true);
            try (ResultSet row = call.executeQuery()) {
                return row.next() ? OptionalLong.of(row.getLong(1)) : OptionalLong.empty();
            }
        }
    }

    private static int bindAny(PreparedStatement call, EntityAppend append) throws SQLException {
        call.setString(1, append.entity().tenant());
        call.setString(2, append.entity().type());
        call.setString(3, append.entity().id());
        call.setBoolean(4, append.events().get(0).deleted());
        AppendCall.bindLong(call, 5, append.sourceVersion());
        bindJson(call, 6, AppendCall.state(append));
        call.setBoolean(7, append.expecting().isPresent());
        return 7;
    }

    private static int bindExpected(PreparedStatement call, EntityAppend append) throws SQLException {
        boolean deleted = append.events().get(0).deleted();
        call.setBoolean(1, deleted);
        AppendCall.bindLong(call, 2, append.sourceVersion());
        bindJson(call, 3, AppendCall.state(append));
        call.setBoolean(4, deleted);
        call.setString(5, append.entity().tenant());
        call.setString(6, append.entity().type());
        call.setString(7, append.entity().id());
        AppendCall.bindLong(call, 8, append.expecting());
        AppendCall.bindLong(call, 9, append.sourceVersion());
        return 9;
    }

    private static void bindEvent(PreparedStatement call, int bound, NewEvent event, Route route) throws SQLException {
        call.setObject(bound + 1, event.id());
        call.setInt(bound + 2, event.size());
        call.setString(bound + 3, event.type());
        call.setInt(bound + 4, route.stream());
        bindJson(call, bound + 5, event.payload());
        bindJson(call, bound + 6, Headers.encode(event.headers()));
        call.setInt(bound + 7, route.stream());
        call.setInt(bound + 8, route.partition());
    }

    /** Without a type, so that the server reads it as jsonb at once and not as text first. */
    private static void bindJson(PreparedStatement call, int at, @Nullable String json) throws SQLException {
        call.setObject(at, json, Types.OTHER);
    }
}
