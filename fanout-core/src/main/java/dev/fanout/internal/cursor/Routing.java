// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.cursor;

import dev.fanout.Event;
import dev.fanout.spi.Appends.Route;
import java.util.function.Function;

/**
 * How records go on to a child stream.
 *
 * @param route where a record goes
 * @param written tells that there is something new in the outbox, committed
 */
public record Routing(Function<Event, Route> route, Runnable written) {}
