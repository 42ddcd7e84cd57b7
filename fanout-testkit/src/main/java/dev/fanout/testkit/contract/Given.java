// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.contract;

import dev.fanout.EntityRef;
import dev.fanout.spi.Appends.EntityAppend;
import dev.fanout.spi.Appends.NewEvent;
import dev.fanout.spi.Appends.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/** Builds appends for the contract. */
final class Given {

    private final EntityRef entity;
    private final List<NewEvent> events = new ArrayList<>();
    private OptionalLong expecting = OptionalLong.empty();
    private OptionalLong sourceVersion = OptionalLong.empty();
    private Optional<String> state = Optional.empty();
    private Optional<String> key = Optional.empty();

    private Given(EntityRef entity) {
        this.entity = entity;
    }

    static Given to(EntityRef entity) {
        return new Given(entity);
    }

    static Given to(String id) {
        return to(asset(id));
    }

    static EntityRef asset(String id) {
        return EntityRef.of("asset", id);
    }

    Given expecting(long version) {
        expecting = OptionalLong.of(version);
        return this;
    }

    Given sourceVersion(long version) {
        sourceVersion = OptionalLong.of(version);
        return this;
    }

    Given state(String json) {
        state = Optional.of(json);
        return this;
    }

    Given key(String text) {
        key = Optional.of(text);
        return this;
    }

    Given event(Route... routes) {
        return event("{}", routes);
    }

    /** The payload is written as PostgreSQL writes it, so that every store returns the same text. */
    Given event(String payload, Route... routes) {
        events.add(new NewEvent(UUID.randomUUID(), "asset.changed", payload, Map.of(), false, List.of(routes)));
        return this;
    }

    Given event(NewEvent event) {
        events.add(event);
        return this;
    }

    Given tombstone(Route... routes) {
        events.add(new NewEvent(UUID.randomUUID(), "asset.deleted", "null", Map.of(), true, List.of(routes)));
        return this;
    }

    EntityAppend build() {
        return new EntityAppend(entity, expecting, sourceVersion, state, events, key);
    }
}
