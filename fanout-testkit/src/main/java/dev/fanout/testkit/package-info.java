/** Everything for tests: a real PostgreSQL, an in-memory store, faults and contracts. */
@NullMarked
package dev.fanout.testkit;

import org.jspecify.annotations.NullMarked;
