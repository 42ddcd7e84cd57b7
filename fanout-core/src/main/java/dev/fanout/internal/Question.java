// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal;

import dev.fanout.Applied;
import dev.fanout.EntityRef;
import dev.fanout.Event;
import dev.fanout.internal.Way.Link;
import dev.fanout.spi.Cursors.Gate;
import dev.fanout.spi.Layout;
import dev.fanout.spi.Store;
import java.util.Optional;

/**
 * What has become of one event for one child, as the store knows it. A filter leaves no trace there of what it kept out, so the
 * event itself is read, once, and shown to the filters on its way: this process knows them, whoever runs the child.
 */
final class Question {

    private final Store<?> store;
    private final Way way;
    private final EntityRef entity;
    private final long version;
    private boolean passes;

    Question(Store<?> store, Way way, EntityRef entity, long version) {
        this.store = store;
        this.way = way;
        this.entity = entity;
        this.version = version;
        this.passes = !way.hasFilters();
    }

    /** Asks; empty if nothing is known yet. */
    Optional<Applied> ask(Layout layout) {
        Optional<Gate> gate = gate(way.links().get(0), layout);
        if (gate.isPresent() && gate.get().version() >= version) {
            return Optional.of(Applied.APPLIED);
        }
        if (isFiltered()) {
            return Optional.of(Applied.FILTERED);
        }
        return gate.map(Gate::parked).orElse(false) || isParkedOnTheWay(layout)
                ? Optional.of(Applied.PARKED)
                : Optional.empty();
    }

    private Optional<Gate> gate(Link link, Layout layout) {
        return layout.attachment(link.child()).map(attachment -> store.cursors().gate(attachment, entity));
    }

    private boolean isFiltered() {
        if (passes) {
            return false;
        }
        // not there yet if the caller's transaction has not committed
        Optional<Event> event = store.log().event(entity, version);
        if (event.isEmpty()) {
            return false;
        }
        passes = way.links().stream().allMatch(link -> passes(link, event.get()));
        return !passes;
    }

    /** Where a filter fails, the child's cursor decides. */
    private static boolean passes(Link link, Event event) {
        try {
            return link.passing().test(event);
        } catch (RuntimeException failure) {
            return true;
        }
    }

    /** Only a filter can fail there. */
    private boolean isParkedOnTheWay(Layout layout) {
        return way.links().stream()
                .skip(1)
                .filter(link -> !link.passing().isAll())
                .anyMatch(link -> gate(link, layout)
                        .filter(gate -> gate.parked() && gate.version() < version)
                        .isPresent());
    }
}
