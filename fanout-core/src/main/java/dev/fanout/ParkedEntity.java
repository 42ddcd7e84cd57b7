// SPDX-License-Identifier: Apache-2.0
package dev.fanout;

import java.time.Instant;
import java.util.UUID;

/**
 * An entity that a child has set aside, with the event that failed.
 *
 * @param entity which entity
 * @param version the version of the event that failed
 * @param event the identity of that event
 * @param cause what was said of it
 * @param attempts how often it was tried
 * @param parkedAt when it was set aside, by the database's clock
 * @param lastTriedAt when it was last tried, by the database's clock
 * @param waiting how many events of the entity wait, the failed one included
 */
public record ParkedEntity(
        EntityRef entity,
        long version,
        UUID event,
        String cause,
        int attempts,
        Instant parkedAt,
        Instant lastTriedAt,
        long waiting) {}
