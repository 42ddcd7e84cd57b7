/** One class per table group, and the statements they run. */
@NullMarked
package dev.fanout.postgres.internal;

import org.jspecify.annotations.NullMarked;
