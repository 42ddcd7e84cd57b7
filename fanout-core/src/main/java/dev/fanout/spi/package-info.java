/** What a store must offer. Start at {@code Store}. */
@NullMarked
package dev.fanout.spi;

import org.jspecify.annotations.NullMarked;
