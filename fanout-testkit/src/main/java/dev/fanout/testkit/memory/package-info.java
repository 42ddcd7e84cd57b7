/**
 * A store that lives in memory and behaves as the one on PostgreSQL does. Start at {@code MemoryDatabase}, which is
 * what several nodes share, and {@code MemoryStore}, which is one node's view of it.
 *
 * @serial exclude
 */
@NullMarked
package dev.fanout.testkit.memory;

import org.jspecify.annotations.NullMarked;
