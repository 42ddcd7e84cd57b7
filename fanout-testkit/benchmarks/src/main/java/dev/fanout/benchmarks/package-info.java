/** Speed beside hand-written floors, in the same run. */
@NullMarked
package dev.fanout.benchmarks;

import org.jspecify.annotations.NullMarked;
