// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import dev.fanout.spi.FencedException;
import dev.fanout.spi.ForgottenException;
import dev.fanout.spi.Frontier;
import dev.fanout.spi.Frontier.Range;
import dev.fanout.spi.LogRecord;
import dev.fanout.spi.Outbox;
import dev.fanout.spi.StreamPartition;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Publishes: one look is one statement with one snapshot, in one transaction of one round trip ({@link OwnedSteps}).
 *
 * <p>It carries the transaction's settings, the comparison of the log's tails with the remembered ones, {@code publish.sql},
 * {@code keep-frontier.sql} and the fence. Two of them fail, and with them the transaction, where it must not commit:
 * <ul>
 *   <li><i>stale</i>: the fence found no row, so another owns the lane ({@link FencedException});
 *   <li><i>forgotten</i>: a partition ends below the tail that the relay remembers, so the database has lost commits that memory
 *       outlived ({@link ForgottenException}).
 * </ul>
 *
 * <p>Invariants. The fence comes last: whoever takes the lease waits for this commit and then sees its rows. The publication
 * comes first of what writes: its transaction id is then younger than its snapshot, and {@link Publication#next} is above the
 * id of every transaction that had drawn an outbox id before. The commit does not wait for the disk: a crash loses a
 * publication as a whole, and its rows are in the outbox again.
 *
 * <p>A relay that waits looks often, and mostly for nothing. A look that does not expect rows begins with a probe: one
 * statement that locks and writes nothing. Only if it finds a row does the publication follow, with its own snapshot.
 */
public final class PostgresOutbox implements Outbox {

    /** Publications of this store between two removals of old frontier rows. */
    private static final int PRUNE_EVERY = 128;

    private final Database database;
    private final Sessions sessions;
    private final OwnedSteps steps;
    private final Statements statements;
    private final Map<Integer, Integer> unpruned = new ConcurrentHashMap<>();

    /**
     * Makes the relay's side.
     *
     * @param database the shared parts of the store
     */
    public PostgresOutbox(Database database) {
        this.database = database;
        this.sessions = database.sessions();
        this.steps = new OwnedSteps(sessions);
        this.statements = database.statements();
    }

    @Override
    public Publication publish(Request request) {
        Frontier looked = request.full() ? Frontier.START : request.frontier();
        if (!request.expected()) {
            Optional<Publication> nothing = probe(request.lane(), looked);
            if (nothing.isPresent()) {
                return nothing.get();
            }
        }
        Publication publication = move(request, looked);
        if (!publication.placed().isEmpty()) {
            pruneNowAndThen(request.lane());
        }
        return publication;
    }

    /** Empty if there is something to publish. */
    private Optional<Publication> probe(int lane, Frontier looked) {
        return sessions.autocommit("looking into the outbox", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(statements.get("probe-outbox"))) {
                Parameters.of(statement)
                        .add(lane)
                        .add(looked.mark())
                        .add(lows(looked))
                        .add(highs(looked));
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    return row.getBoolean(1)
                            ? Optional.empty()
                            : Optional.of(new Publication(List.of(), row.getLong(2), row.getLong(3)));
                }
            }
        });
    }

    private Publication move(Request request, Frontier looked) {
        return steps.run("publishing", request.lease(), (connection, opening, answersOfOpening) -> {
            try (PreparedStatement statement = connection.prepareStatement(
                    statements.chain(opening, "demand-tails", "publish", "keep-frontier", "demand-lease"))) {
                bind(request, looked, statement);
                return publication(
                        Answers.of(statement).skip(answersOfOpening + 1).rows(), request);
            }
        });
    }

    private void bind(Request request, Frontier looked, PreparedStatement statement) throws SQLException {
        int lane = request.lane();
        List<StreamPartition> remembered = List.copyOf(request.tails().keySet());
        Parameters.of(statement)
                // begin-step, begin-engine
                .add(database.idleTimeout())
                // demand-tails
                .add(remembered.stream().mapToInt(StreamPartition::stream).toArray())
                .add(remembered.stream().mapToInt(StreamPartition::partition).toArray())
                .add(remembered.stream()
                        .mapToLong(at -> request.tails().getOrDefault(at, 0L))
                        .toArray())
                // publish
                .add(lane)
                .add(looked.mark())
                .add(request.limit())
                .add(lows(looked))
                .add(highs(looked))
                .add(lane)
                .add(request.limit())
                .add(request.limit())
                .add(request.bytes())
                .add(request.bytes())
                .add(request.withEvents())
                // keep-frontier
                .add(lane)
                .add(request.frontier().mark())
                .add(lows(request.frontier()))
                .add(highs(request.frontier()))
                .add(request.announce())
                .add(database.wakeNames(statement.getConnection()).published())
                // demand-lease
                .add(request.lease().resource())
                .add(request.lease().node())
                .add(request.lease().token());
    }

    private Publication publication(ResultSet rows, Request request) throws SQLException {
        EventRows events = new EventRows(database.codec());
        List<Placed> placed = new ArrayList<>();
        long running = 0;
        long next = 0;
        while (rows.next()) {
            if (placed.isEmpty()) {
                running = rows.getLong(1);
                next = rows.getLong(2);
            }
            long id = rows.getLong(3);
            if (!rows.wasNull()) {
                placed.add(placed(rows, id, events, request.withEvents()));
            }
        }
        placed.sort(Comparator.comparingLong(Placed::id));
        return new Publication(placed, running, next);
    }

    private static Placed placed(ResultSet row, long id, EventRows events, boolean withEvents) throws SQLException {
        StreamPartition at = new StreamPartition(row.getInt(4), row.getInt(5));
        String payload = withEvents ? row.getString(19) : null;
        Optional<LogRecord> record = payload == null ? Optional.empty() : Optional.of(events.record(row, 6, payload));
        return new Placed(id, at, row.getLong(6), record);
    }

    private void pruneNowAndThen(int lane) {
        if (unpruned.merge(lane, 1, Integer::sum) < PRUNE_EVERY) {
            return;
        }
        unpruned.remove(lane);
        sessions.autocommit("removing old frontiers", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(statements.get("prune-frontiers"))) {
                Parameters.of(statement)
                        .add(lane)
                        .add(lane)
                        .add(8 * PRUNE_EVERY)
                        .add(lane);
                return statement.executeUpdate();
            }
        });
    }

    @Override
    public Frontier frontier(int lane) {
        return sessions.autocommit("reading a frontier", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(statements.get("read-frontier"))) {
                Parameters.of(statement).add(lane);
                try (ResultSet row = statement.executeQuery()) {
                    return row.next() ? frontier(row) : Frontier.START;
                }
            }
        });
    }

    private static Frontier frontier(ResultSet row) throws SQLException {
        Long[] lows = (Long[]) row.getArray(2).getArray();
        Long[] highs = (Long[]) row.getArray(3).getArray();
        List<Range> missing = new ArrayList<>(lows.length);
        for (int i = 0; i < lows.length; i++) {
            missing.add(new Range(lows[i], highs[i]));
        }
        return new Frontier(row.getLong(1), missing);
    }

    @Override
    public long waiting(int lane) {
        return sessions.autocommit("counting the outbox", connection -> waiting(connection, lane));
    }

    private long waiting(Connection connection, int lane) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(statements.get("count-outbox"))) {
            Parameters.of(statement).add(lane);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    private static long[] lows(Frontier frontier) {
        return frontier.missing().stream().mapToLong(Range::from).toArray();
    }

    private static long[] highs(Frontier frontier) {
        return frontier.missing().stream().mapToLong(Range::to).toArray();
    }
}
