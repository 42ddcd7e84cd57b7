/** How a store comes up, or is refused. */
@NullMarked
package dev.fanout.postgres.tests.opening;

import org.jspecify.annotations.NullMarked;
