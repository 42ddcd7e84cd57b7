/** A stale owner commits nothing; an owner that leaves is replaced at once. */
package dev.fanout.postgres.tests.ownership;
