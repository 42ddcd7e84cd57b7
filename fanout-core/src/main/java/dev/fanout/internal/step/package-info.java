// SPDX-License-Identifier: Apache-2.0
/** Workers as small state machines: one bounded step at a time, driven by an {@code Activity} on the platform's threads. */
@NullMarked
package dev.fanout.internal.step;

import org.jspecify.annotations.NullMarked;
