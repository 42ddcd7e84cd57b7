/** The engine: steps that decide, without clock, thread or database of their own. */
@NullMarked
package dev.fanout.internal;

import org.jspecify.annotations.NullMarked;
