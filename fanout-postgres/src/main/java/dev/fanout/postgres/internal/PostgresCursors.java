// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import dev.fanout.EntityRef;
import dev.fanout.spi.Cursors;
import dev.fanout.spi.FencedException;
import dev.fanout.spi.ForgottenException;
import dev.fanout.spi.Layout.Attachment;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Cursors and gates, as ledgers: a step inserts the new row and removes the one that it replaces, and the highest counts. A row
 * updated in place would grow a chain of dead versions under its key for as long as any old snapshot is held; a reader of a
 * ledger's head comes upon the newest row first.
 *
 * <p>The usual step, which moves the cursor and gates, is one round trip, and shares its commit with those of other children that
 * come at the same time ({@link UsualSteps}). Any other is a transaction of two round trips ({@link AdvanceCall}): the first
 * carries BEGIN and all statements, whose answers are judged; the second is COMMIT, or ROLLBACK. Both go by the same statement,
 * which refuses:
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
    private final UsualSteps usual;

    /**
     * Makes the cursors.
     *
     * @param database the shared parts of the store
     */
    public PostgresCursors(Database database) {
        this.database = database;
        this.sessions = database.sessions();
        this.statements = database.statements();
        this.usual = new UsualSteps(database);
    }

    @Override
    public Cursor cursor(Attachment attachment, int partition) {
        return sessions.autocommit("reading a cursor", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(statements.get("read-cursor"))) {
                Parameters.of(statement).add(attachment.no()).add(partition);
                try (ResultSet row = statement.executeQuery()) {
                    return row.next() ? cursor(row) : Cursor.START;
                }
            }
        });
    }

    private static Cursor cursor(ResultSet row) throws SQLException {
        Counts counts = new Counts(
                row.getLong(3),
                row.getLong(4),
                row.getLong(5),
                row.getLong(6),
                row.getLong(7),
                row.getLong(8),
                row.getLong(9));
        return new Cursor(row.getLong(1), row.getLong(2), counts);
    }

    @Override
    public Map<Long, Gate> gates(Attachment attachment, Collection<Long> entities) {
        if (entities.isEmpty()) {
            return Map.of();
        }
        long[] numbers = entities.stream().mapToLong(Long::longValue).toArray();
        return sessions.autocommit("reading gates", connection -> {
            try (PreparedStatement statement =
                    connection.prepareStatement(statements.chain("plan-by-index", "read-gates"))) {
                Parameters.of(statement).add(numbers).add(attachment.no()).add(attachment.no());
                try (ResultSet rows = Answers.of(statement).skip(1).rows()) {
                    return gates(rows);
                }
            }
        });
    }

    private static Map<Long, Gate> gates(ResultSet rows) throws SQLException {
        Map<Long, Gate> gates = new HashMap<>();
        while (rows.next()) {
            gates.put(rows.getLong(1), new Gate(rows.getLong(2), rows.getBoolean(3)));
        }
        return gates;
    }

    @Override
    public void advance(Advance advance) {
        if (UsualSteps.isUsual(advance)) {
            usual.write(advance);
            return;
        }
        if (!advance.forwarded().isEmpty()) {
            // asked for now, if ever: within the transaction it would come before the isolation is set
            database.wakeNames();
        }
        sessions.transaction("advancing " + advance.attachment().child(), connection -> {
            new AdvanceCall(database, advance).run(connection, "begin-engine", List.of(database.idleTimeout()), 2);
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
        new AdvanceCall(database, advance).run(connection, "plan-by-index", List.of(), 1);
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

    @Override
    public Gate gate(Attachment attachment, EntityRef entity) {
        return sessions.autocommit("reading a gate", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(statements.get("read-gate"))) {
                Parameters.of(statement)
                        .add(attachment.no())
                        .add(attachment.no())
                        .add(entity.tenant())
                        .add(entity.type())
                        .add(entity.id());
                try (ResultSet row = statement.executeQuery()) {
                    return row.next() ? new Gate(row.getLong(1), row.getBoolean(2)) : Gate.OPEN;
                }
            }
        });
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
