/** Living in someone's application. */
@NullMarked
package dev.fanout.postgres.tests.host;

import org.jspecify.annotations.NullMarked;
