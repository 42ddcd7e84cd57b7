// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Walks through the answers of statements that were sent in one round trip, in their order. */
final class Answers {

    private final PreparedStatement statement;
    private boolean rows;

    private Answers(PreparedStatement statement, boolean rows) {
        this.statement = statement;
        this.rows = rows;
    }

    /** Sends the statements; the first answer is the current one. */
    static Answers of(PreparedStatement statement) throws SQLException {
        return new Answers(statement, statement.execute());
    }

    /** Passes answers by that nobody reads. */
    Answers skip(int answers) throws SQLException {
        for (int i = 0; i < answers; i++) {
            rows = statement.getMoreResults();
        }
        return this;
    }

    /** Returns the current answer's rows; closed by {@link #skip} or with the statement. */
    ResultSet rows() throws SQLException {
        if (!rows) {
            throw new SQLException("a statement that should return rows returned none: its file was changed", "02000");
        }
        return statement.getResultSet();
    }

    /** Returns the one number that the current answer is. */
    long number() throws SQLException {
        try (ResultSet answer = rows()) {
            answer.next();
            return answer.getLong(1);
        }
    }

    /** Returns how many rows the current statement changed. */
    long count() throws SQLException {
        return statement.getUpdateCount();
    }

    /** Says whether the current answer has a row. */
    boolean any() throws SQLException {
        try (ResultSet answer = rows()) {
            return answer.next();
        }
    }
}
