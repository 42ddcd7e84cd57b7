// SPDX-License-Identifier: Apache-2.0
package dev.fanout.spi;

import dev.fanout.Event;
import java.time.Instant;

/**
 * One published event at its place.
 *
 * @param position the place within the partition, dense from 0
 * @param committedAt when it was published, by the database's clock, never falling within a partition
 * @param entityNo the store's number of the entity
 * @param size the payload's size in bytes, for budgets
 * @param event the event
 */
public record LogRecord(long position, Instant committedAt, long entityNo, int size, Event event) {}
