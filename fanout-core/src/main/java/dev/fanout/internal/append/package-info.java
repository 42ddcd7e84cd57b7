// SPDX-License-Identifier: Apache-2.0
/** From what an application asks to append, to what a store is told to write. Begin with {@code AppendPlan}. */
@NullMarked
package dev.fanout.internal.append;

import org.jspecify.annotations.NullMarked;
