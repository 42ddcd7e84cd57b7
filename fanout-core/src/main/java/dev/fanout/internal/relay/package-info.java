// SPDX-License-Identifier: Apache-2.0
/** From the outbox to the log. Begin with {@code RelayWorker}. */
@NullMarked
package dev.fanout.internal.relay;

import org.jspecify.annotations.NullMarked;
