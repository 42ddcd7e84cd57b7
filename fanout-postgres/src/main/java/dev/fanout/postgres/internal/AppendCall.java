// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import dev.fanout.Appended;
import dev.fanout.VersionConflictException;
import dev.fanout.WakeMode;
import dev.fanout.spi.Appends.EntityAppend;
import dev.fanout.spi.Appends.NewEvent;
import dev.fanout.spi.Appends.Result;
import dev.fanout.spi.Appends.Route;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The append to one entity: the usual one as one statement, any other, and any that was refused, by the database's
 * function: what goes in, and what its answer means.
 */
final class AppendCall {

    private static final int LANE = 0;

    private final Database database;
    private final AppendOneCall one;

    AppendCall(Database database) {
        this.database = database;
        this.one = new AppendOneCall(database);
    }

    Result run(Connection tx, EntityAppend append) throws SQLException {
        List<Route> routes = routes(append);
        if (AppendOneCall.fits(append, routes)) {
            OptionalLong version = one.run(tx, append, routes.get(0));
            if (version.isPresent()) {
                return new Result.Written(version.getAsLong());
            }
        }
        return runFunction(tx, append, routes);
    }

    private Result runFunction(Connection tx, EntityAppend append, List<Route> routes) throws SQLException {
        try (PreparedStatement call = tx.prepareStatement(database.statements().get("append"))) {
            bindEntity(call, append);
            bindFirst(call, append.events().get(0), routes);
            bindWake(call, 17, database, tx, !routes.isEmpty());
            bindMore(tx, call, append.events());
            try (ResultSet row = call.executeQuery()) {
                row.next();
                return answer(append, row);
            }
        }
    }

    private static void bindEntity(PreparedStatement call, EntityAppend append) throws SQLException {
        call.setString(1, append.entity().tenant());
        call.setString(2, append.entity().type());
        call.setString(3, append.entity().id());
        bindLong(call, 4, append.expecting());
        bindLong(call, 5, append.sourceVersion());
        call.setString(6, state(append));
        call.setBoolean(7, last(append).deleted());
        call.setBoolean(8, append.events().stream().anyMatch(NewEvent::deleted));
        call.setString(9, append.key().orElse(null));
    }

    private static void bindFirst(PreparedStatement call, NewEvent event, List<Route> routes) throws SQLException {
        call.setObject(10, event.id());
        call.setString(11, event.type());
        call.setString(12, event.payload());
        call.setString(13, Headers.encode(event.headers()));
        call.setBoolean(14, event.deleted());
        call.setObject(15, routes.stream().mapToInt(Route::stream).toArray());
        call.setObject(16, routes.stream().mapToInt(Route::partition).toArray());
    }

    private static void bindMore(Connection tx, PreparedStatement call, List<NewEvent> events) throws SQLException {
        call.setInt(20, events.size());
        List<NewEvent> more = events.subList(1, events.size());
        bindArray(tx, call, 21, "uuid", more, NewEvent::id);
        bindArray(tx, call, 22, "text", more, NewEvent::type);
        bindArray(tx, call, 23, "text", more, NewEvent::payload);
        bindArray(tx, call, 24, "text", more, event -> Headers.encode(event.headers()));
        bindArray(tx, call, 25, "boolean", more, NewEvent::deleted);
    }

    private static void bindArray(
            Connection tx, PreparedStatement call, int at, String type, List<NewEvent> more, Function<NewEvent, ?> part)
            throws SQLException {
        if (more.isEmpty()) {
            call.setNull(at, Types.ARRAY);
        } else {
            call.setArray(at, tx.createArrayOf(type, more.stream().map(part).toArray()));
        }
    }

    private static NewEvent last(EntityAppend append) {
        return append.events().get(append.events().size() - 1);
    }

    /** A deleted entity has no state, whatever was given with its tombstone. */
    static @Nullable String state(EntityAppend append) {
        return last(append).deleted() ? null : append.state().orElse(null);
    }

    static void bindLong(PreparedStatement call, int at, OptionalLong value) throws SQLException {
        if (value.isPresent()) {
            call.setLong(at, value.getAsLong());
        } else {
            call.setNull(at, Types.BIGINT);
        }
    }

    /** Three parameters: the lane's lock, its channel, and whether to notify in any case. */
    static int bindWake(PreparedStatement call, int at, Database database, Connection tx, boolean routed)
            throws SQLException {
        WakeMode mode = database.settings().wakeMode();
        if (!routed || mode == WakeMode.NEVER) {
            call.setNull(at, Types.BIGINT);
            call.setString(at + 1, null);
        } else {
            Database.AppendWake wake = database.appendWake(tx);
            call.setLong(at, wake.key());
            call.setString(at + 1, wake.channel());
        }
        call.setBoolean(at + 2, mode == WakeMode.ALWAYS);
        return 3;
    }

    /** All events of an append go the same ways. */
    static List<Route> routes(EntityAppend append) {
        List<Route> routes = append.events().get(0).routes();
        for (NewEvent event : append.events()) {
            if (!event.routes().equals(routes)) {
                throw new IllegalArgumentException("append to " + append.entity() + ": events with different routes");
            }
        }
        routes.forEach(route -> checkLane("append to " + append.entity(), route));
        return routes;
    }

    static void checkLane(String what, Route route) {
        if (route.lane() != LANE) {
            throw new IllegalArgumentException(what + ": there is no lane " + route.lane());
        }
    }

    /** Reads the row at hand. */
    static Result answer(EntityAppend append, ResultSet row) throws SQLException {
        long first = row.getLong("first_version");
        return switch (row.getString("status")) {
            case "appended" -> new Result.Written(first + append.events().size() - 1);
            case "repeated" -> new Result.Repeated(earlier(first, row), Set.of());
            case "conflict" ->
                throw new VersionConflictException(
                        append.entity(), append.expecting().orElseThrow(), first, "version");
            case "regressed" ->
                throw new VersionConflictException(
                        append.entity(),
                        append.sourceVersion().orElseThrow(),
                        row.getLong("stored_source_version"),
                        "source version");
            default -> throw new IllegalStateException("append answered " + row.getString("status"));
        };
    }

    private static List<Appended.Id> earlier(long first, ResultSet row) throws SQLException {
        UUID[] ids = (UUID[]) row.getArray("event_ids").getArray();
        Appended.Id[] events = new Appended.Id[ids.length];
        for (int i = 0; i < ids.length; i++) {
            events[i] = new Appended.Id(ids[i], first + i);
        }
        return List.of(events);
    }
}
