/** The API: what a user names. Start at {@code Fanout}. */
@NullMarked
package dev.fanout;

import org.jspecify.annotations.NullMarked;
