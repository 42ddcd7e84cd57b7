/**
 * The API: what a user names. Start at {@code Fanout}.
 *
 * @serial exclude
 */
@NullMarked
package dev.fanout;

import org.jspecify.annotations.NullMarked;
