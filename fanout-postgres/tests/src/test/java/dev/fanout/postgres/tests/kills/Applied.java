// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.kills;

import dev.fanout.Event;
import dev.fanout.Outcome;
import dev.fanout.TransactionalProjection;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.function.Consumer;

/** A transactional projection without any care of its own: one more row for each time that it is told. */
record Applied(Consumer<Event> onTheWay) implements TransactionalProjection<Connection> {

    static final String TABLE =
            "create table applied (no bigint generated always as identity, asset text not null, version bigint not null)";

    @Override
    public Outcome apply(Event event, Connection tx) throws SQLException {
        try (PreparedStatement statement = tx.prepareStatement("insert into applied (asset, version) values (?, ?)")) {
            statement.setString(1, event.entity().id());
            statement.setLong(2, event.version());
            statement.executeUpdate();
        }
        onTheWay.accept(event);
        return Outcome.applied();
    }
}
