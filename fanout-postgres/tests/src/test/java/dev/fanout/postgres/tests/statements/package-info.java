/** The SQL files themselves. */
@NullMarked
package dev.fanout.postgres.tests.statements;

import org.jspecify.annotations.NullMarked;
