// SPDX-License-Identifier: Apache-2.0
/** From the log to the projections. Begin with {@code CursorWorker}. */
@NullMarked
package dev.fanout.internal.cursor;

import org.jspecify.annotations.NullMarked;
