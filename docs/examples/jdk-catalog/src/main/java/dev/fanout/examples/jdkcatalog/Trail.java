// SPDX-License-Identifier: Apache-2.0
package dev.fanout.examples.jdkcatalog;

import dev.fanout.Event;
import dev.fanout.Outcome;
import dev.fanout.TransactionalProjection;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;

/** Keeps a row of every delivery, so that SQL can tell afterwards what came, when, and in which order. */
final class Trail implements TransactionalProjection<Connection> {

    private final String child;

    Trail(String child) {
        this.child = child;
    }

    @Override
    public Outcome apply(Event event, Connection tx) throws SQLException {
        return apply(List.of(event), tx).get(0);
    }

    @Override
    public List<Outcome> apply(List<Event> slab, Connection tx) throws SQLException {
        try (PreparedStatement insert = Sql.prepare(tx, "insert-delivery")) {
            for (Event event : slab) {
                insert.setString(1, child);
                insert.setString(2, event.entity().id());
                insert.setLong(3, event.version());
                insert.addBatch();
            }
            insert.executeBatch();
        }
        return Collections.nCopies(slab.size(), Outcome.applied());
    }
}
