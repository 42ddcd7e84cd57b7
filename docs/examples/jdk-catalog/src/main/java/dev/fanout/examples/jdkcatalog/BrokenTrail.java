// SPDX-License-Identifier: Apache-2.0
package dev.fanout.examples.jdkcatalog;

import dev.fanout.Event;
import dev.fanout.Outcome;
import dev.fanout.TransactionalProjection;
import java.sql.Connection;
import java.sql.SQLException;

/** A trail that can't take one asset until it is repaired. It takes events one by one, and all others of a slab with it. */
final class BrokenTrail implements TransactionalProjection<Connection> {

    private final Trail trail;
    private final String refused;
    private volatile boolean repaired;

    BrokenTrail(String child, String refused) {
        this.trail = new Trail(child);
        this.refused = refused;
    }

    void repair() {
        repaired = true;
    }

    @Override
    public Outcome apply(Event event, Connection tx) throws SQLException {
        boolean refuses = !repaired && event.entity().id().equals(refused);
        return refuses ? Outcome.park("no room for " + refused) : trail.apply(event, tx);
    }
}
