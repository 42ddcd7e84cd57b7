/** Scars 1 to 9 and 48 to 51: what is committed is delivered, once, in the order of versions. */
package dev.fanout.postgres.tests.order;
