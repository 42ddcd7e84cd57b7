// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import dev.fanout.EntityRef;
import dev.fanout.spi.Cursors;
import dev.fanout.spi.FencedException;
import dev.fanout.spi.ForgottenException;
import dev.fanout.spi.Layout.Attachment;
import dev.fanout.spi.LogRecord;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Cursors and gates, as ledgers: a step inserts the new row and removes the one that it replaces, and the highest counts. A row
 * updated in place would grow a chain of dead versions under its key for as long as any old snapshot is held; a reader of a
 * ledger's head comes upon the newest row first.
 *
 * <p>One step is one transaction of two round trips. The first carries BEGIN, the gates, the cursor's row and, last, the fence;
 * then the answers are judged, the fence's before all; the second is COMMIT, or ROLLBACK:
 * <ul>
 *   <li><i>stale</i>: another owns the child's partition, or the epoch is over ({@link FencedException});
 *   <li><i>forgotten</i>: the ledger's head is not where the step begins, or the log does not hold the step's last record as it
 *       was delivered ({@link ForgottenException}): an asynchronous commit was lost, or another process wrote meanwhile.
 * </ul>
 *
 * <p>Invariants: within an attachment the head only grows, since a step compares the head with where it begins. Gates and cursor
 * are never there without each other. Each attachment has numbers of its own, so that nothing of one epoch is read in another.
 *
 * <p>Steps do not wait for the disk. What is lost then is a suffix of them, the events are delivered again, and the gates
 * that were lost with the cursor let them through; a transactional child's own rows were written by the same transactions, and
 * are lost with them.
 */
public final class PostgresCursors implements Cursors<Connection> {

    private final Database database;
    private final Sessions sessions;
    private final Statements statements;

    /**
     * Makes the cursors.
     *
     * @param database the shared parts of the store
     */
    public PostgresCursors(Database database) {
        this.database = database;
        this.sessions = database.sessions();
        this.statements = database.statements();
    }

    @Override
    public Cursor cursor(Attachment attachment, int partition) {
        return sessions.autocommit("reading a cursor", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(statements.get("read-cursor"))) {
                Parameters.of(statement).add(attachment.no()).add(partition);
                try (ResultSet row = statement.executeQuery()) {
                    return row.next() ? cursor(row) : new Cursor(0, Counts.NONE);
                }
            }
        });
    }

    private static Cursor cursor(ResultSet row) throws SQLException {
        Counts counts = new Counts(row.getLong(2), row.getLong(3), row.getLong(4), row.getLong(5));
        return new Cursor(row.getLong(1), counts);
    }

    @Override
    public Map<Long, Long> gates(Attachment attachment, Collection<Long> entities) {
        if (entities.isEmpty()) {
            return Map.of();
        }
        long[] numbers = entities.stream().mapToLong(Long::longValue).toArray();
        return sessions.autocommit("reading gates", connection -> {
            try (PreparedStatement statement =
                    connection.prepareStatement(statements.chain("plan-by-index", "read-gates"))) {
                Parameters.of(statement).add(numbers).add(attachment.no());
                try (ResultSet rows = Answers.of(statement).skip(1).rows()) {
                    return gates(rows);
                }
            }
        });
    }

    private static Map<Long, Long> gates(ResultSet rows) throws SQLException {
        Map<Long, Long> gates = new HashMap<>();
        while (rows.next()) {
            gates.put(rows.getLong(1), rows.getLong(2));
        }
        return gates;
    }

    @Override
    public void advance(Advance advance) {
        sessions.transaction("advancing " + advance.attachment().child(), connection -> {
            write(connection, "begin-engine", List.of(database.idleTimeout()), 2, advance);
            return advance;
        });
    }

    @Override
    public boolean advance(Delivery<Connection> delivery) throws Exception {
        try {
            return sessions.<Boolean, Exception>shared(
                    "delivering", (connection, limit) -> deliver(connection, limit, delivery));
        } catch (Failed failed) {
            throw failed.asThrown();
        } catch (Nothing nothing) {
            return false;
        }
    }

    private boolean deliver(Connection connection, AnswerLimit limit, Delivery<Connection> delivery) throws Exception {
        limit.set();
        try (PreparedStatement begin = connection.prepareStatement(statements.get("begin-delivery"))) {
            Parameters.of(begin).add(database.idleTimeout());
            begin.execute();
        }
        limit.lift();
        Advance advance = applied(connection, delivery);
        limit.set();
        write(connection, "plan-by-index", List.of(), 1, advance);
        return true;
    }

    private static Advance applied(Connection connection, Delivery<Connection> delivery) throws Failed, Nothing {
        Advance advance;
        try {
            advance = delivery.in(new LentConnection(connection));
        } catch (Exception e) {
            throw new Failed(e);
        }
        if (advance == null) {
            throw new Nothing();
        }
        return advance;
    }

    /** Sends everything in one round trip, and judges the answers. */
    private void write(
            Connection connection, String opening, List<String> ofOpening, int answersOfOpening, Advance advance)
            throws SQLException {
        String sql = statements.chain(
                opening, "raise-gates", "prune-gates", "advance-cursor", "prune-cursor", "fence-advance");
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            Parameters parameters = Parameters.of(statement);
            for (String parameter : ofOpening) {
                parameters.add(parameter);
            }
            bind(advance, parameters);
            Answers answers = Answers.of(statement).skip(answersOfOpening + 2);
            boolean added = answers.any();
            if (!answers.skip(2).any()) {
                throw new FencedException(advance.lease());
            }
            if (!added) {
                throw forgotten(advance);
            }
        }
    }

    private static void bind(Advance advance, Parameters parameters) throws SQLException {
        int attachment = advance.attachment().no();
        int partition = advance.partition();
        Counts counts = advance.counts();
        // raise-gates
        parameters.add(attachment).add(entities(advance.gates())).add(versions(advance.gates()));
        // prune-gates
        parameters
                .add(entities(advance.passed()))
                .add(versions(advance.passed()))
                .add(attachment);
        // advance-cursor
        parameters
                .add(attachment)
                .add(partition)
                .add(advance.to())
                .add(counts.applied())
                .add(counts.gated())
                .add(counts.skipped())
                .add(counts.lost())
                .add(attachment)
                .add(partition)
                .add(advance.from());
        bindLast(advance, parameters);
        // prune-cursor
        parameters.add(attachment).add(partition).add(advance.from()).add(advance.to());
        // fence-advance
        parameters
                .add(attachment)
                .add(advance.attachment().epoch())
                .add(advance.lease().resource())
                .add(advance.lease().node())
                .add(advance.lease().token());
    }

    private static void bindLast(Advance advance, Parameters parameters) throws SQLException {
        Optional<LogRecord> last = advance.last();
        parameters
                .add(last.isEmpty())
                .add(advance.attachment().stream())
                .add(advance.partition())
                .add(advance.to() - 1)
                .add(last.map(record -> EventRows.micros(record.committedAt())).orElse(0L))
                .add(last.map(record -> record.event().id()).orElse(null));
    }

    private static ForgottenException forgotten(Advance advance) {
        return new ForgottenException(
                "the cursor of child " + advance.attachment().child() + ", partition "
                        + advance.partition() + " does not stand at " + advance.from()
                        + ", or the log does not hold what was delivered up to " + advance.to()
                        + ": the database has lost commits, or another process advanced it");
    }

    @Override
    public OptionalLong applied(Attachment attachment, EntityRef entity) {
        return sessions.autocommit("reading what was applied", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(statements.get("read-applied"))) {
                Parameters.of(statement)
                        .add(attachment.no())
                        .add(entity.tenant())
                        .add(entity.type())
                        .add(entity.id());
                try (ResultSet row = statement.executeQuery()) {
                    return row.next() ? OptionalLong.of(row.getLong(1)) : OptionalLong.empty();
                }
            }
        });
    }

    private static long[] entities(Map<Long, Long> gates) {
        return gates.keySet().stream().sorted().mapToLong(Long::longValue).toArray();
    }

    private static long[] versions(Map<Long, Long> gates) {
        return gates.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .mapToLong(Map.Entry::getValue)
                .toArray();
    }

    /** Carries what a delivery threw past the mapping of the driver's exceptions, which is not for the application's. */
    private static final class Failed extends Exception {
        private static final long serialVersionUID = 1L;
        private final Exception thrown;

        Failed(Exception thrown) {
            super(thrown);
            this.thrown = thrown;
        }

        Exception asThrown() {
            return thrown instanceof SQLException sql && SqlFailures.unavailable(sql)
                    ? SqlFailures.of("delivering", sql)
                    : thrown;
        }
    }

    /** A delivery that wrote nothing that should stay. */
    private static final class Nothing extends Exception {
        private static final long serialVersionUID = 1L;
    }
}
