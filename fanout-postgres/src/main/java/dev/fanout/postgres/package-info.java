/**
 * The store on PostgreSQL. Start at {@code PostgresStore}.
 *
 * @serial exclude
 */
@NullMarked
package dev.fanout.postgres;

import org.jspecify.annotations.NullMarked;
