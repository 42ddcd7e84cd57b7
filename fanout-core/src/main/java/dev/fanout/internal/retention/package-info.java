/** The removal of old records. Start at {@code Janitor}. */
@NullMarked
package dev.fanout.internal.retention;

import org.jspecify.annotations.NullMarked;
