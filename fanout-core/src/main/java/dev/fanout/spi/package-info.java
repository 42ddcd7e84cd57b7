/**
 * What a store must offer. Start at {@code Store}.
 *
 * @serial exclude
 */
@NullMarked
package dev.fanout.spi;

import org.jspecify.annotations.NullMarked;
