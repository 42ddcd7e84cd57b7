// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.projection;

import dev.fanout.EntityRef;
import dev.fanout.Event;
import dev.fanout.Projection;
import dev.fanout.testkit.Events;
import dev.fanout.testkit.ProjectionContract;
import org.jspecify.annotations.Nullable;

/** The contract passes a projection that does everything right. */
class GoodProjectionTest extends ProjectionContract {

    private Shelf shelf = new Shelf();

    @Override
    protected Projection projection() {
        shelf = new Shelf();
        return shelf;
    }

    @Override
    protected Event event(EntityRef entity, long version) {
        return Events.of(entity, version, "asset.renamed", entity.id() + "-" + version);
    }

    @Override
    protected @Nullable Object read(EntityRef entity) {
        return shelf.read(entity);
    }

    @Override
    protected Object readAll() {
        return shelf.readAll();
    }

    @Override
    protected void breakStore() {
        shelf.broken = true;
    }

    @Override
    protected void mendStore() {
        shelf.broken = false;
    }
}
