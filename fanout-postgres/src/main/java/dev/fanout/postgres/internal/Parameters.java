// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Sets the parameters of a statement one after another. */
final class Parameters {

    private final PreparedStatement statement;
    private int set;

    private Parameters(PreparedStatement statement) {
        this.statement = statement;
    }

    static Parameters of(PreparedStatement statement) {
        return new Parameters(statement);
    }

    Parameters add(int value) throws SQLException {
        statement.setInt(++set, value);
        return this;
    }

    Parameters add(long value) throws SQLException {
        statement.setLong(++set, value);
        return this;
    }

    Parameters add(boolean value) throws SQLException {
        statement.setBoolean(++set, value);
        return this;
    }

    Parameters add(@Nullable String value) throws SQLException {
        statement.setString(++set, value);
        return this;
    }

    Parameters add(@Nullable UUID value) throws SQLException {
        statement.setObject(++set, value, Types.OTHER);
        return this;
    }

    Parameters add(int[] value) throws SQLException {
        statement.setObject(++set, value);
        return this;
    }

    Parameters add(String[] value) throws SQLException {
        statement.setObject(++set, value);
        return this;
    }

    /** The number of the parameter that is to be set next, for others to set it. */
    int next() {
        return set + 1;
    }

    /** Tells that others set so many. */
    void passed(int count) {
        set += count;
    }

    Parameters add(long[] value) throws SQLException {
        statement.setObject(++set, value);
        return this;
    }
}
