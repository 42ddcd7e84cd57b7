// SPDX-License-Identifier: Apache-2.0
/** What this node should run, and may run. Begin with {@code Reconciler}. */
@NullMarked
package dev.fanout.internal.node;

import org.jspecify.annotations.NullMarked;
