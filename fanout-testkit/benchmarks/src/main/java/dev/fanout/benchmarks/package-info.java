// SPDX-License-Identifier: Apache-2.0
/**
 * Speed beside hand-written floors, in the same run. Start at {@link dev.fanout.benchmarks.Benchmarks}.
 *
 * <p>A {@link dev.fanout.benchmarks.Way} is one way of doing the job: the rows by hand, the loop by hand, or the
 * library. A figure puts two ways to the same work in rounds that take turns, on a fresh database each, and reports the
 * median of the rounds' ratios.
 */
@NullMarked
package dev.fanout.benchmarks;

import org.jspecify.annotations.NullMarked;
