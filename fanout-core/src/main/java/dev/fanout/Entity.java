// SPDX-License-Identifier: Apache-2.0
package dev.fanout;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An entity as the primary holds it: its version, and its state where the application keeps that here.
 *
 * @param ref which entity
 * @param version the version of its newest event, at least 1
 * @param sourceVersion the newest source version that was appended, if any was
 * @param state the newest state that was appended; empty if none ever was, or since a tombstone
 * @param deleted whether the newest event is a tombstone
 */
public record Entity(
        EntityRef ref, long version, OptionalLong sourceVersion, Optional<Payload> state, boolean deleted) {

    /** Checks that nothing is null. */
    public Entity {
        Objects.requireNonNull(ref, "ref");
        Objects.requireNonNull(sourceVersion, "sourceVersion");
        Objects.requireNonNull(state, "state");
    }
}
