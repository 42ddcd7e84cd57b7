/** What an append does, alone and in races. */
@NullMarked
package dev.fanout.postgres.tests.append;

import org.jspecify.annotations.NullMarked;
