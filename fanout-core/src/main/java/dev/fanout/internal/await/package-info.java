// SPDX-License-Identifier: Apache-2.0
/** Waiting until a child has applied an event. Begin with {@code Waits}. */
@NullMarked
package dev.fanout.internal.await;

import org.jspecify.annotations.NullMarked;
