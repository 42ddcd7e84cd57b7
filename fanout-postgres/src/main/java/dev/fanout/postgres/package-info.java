/** The store on PostgreSQL. Start at {@code PostgresStore}. */
@NullMarked
package dev.fanout.postgres;

import org.jspecify.annotations.NullMarked;
