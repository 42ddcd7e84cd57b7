// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.cursor;

import dev.fanout.FanoutListener;
import dev.fanout.Settings;
import dev.fanout.internal.await.Waits;
import dev.fanout.internal.node.Ownership;
import dev.fanout.spi.Platform;

/**
 * What all cursors of a node share.
 *
 * @param slabs the records in memory
 * @param settings the numbers
 * @param listener who hears of deliveries
 * @param ownership whether leases may still be used
 * @param waits who waits for events
 * @param platform time and randomness for pauses
 */
public record Surroundings(
        Slabs slabs, Settings settings, FanoutListener listener, Ownership ownership, Waits waits, Platform platform) {}
