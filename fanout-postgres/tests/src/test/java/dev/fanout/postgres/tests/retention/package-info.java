/** Scars 45, 56: old records go, and nobody waits, and no loss is silent. */
package dev.fanout.postgres.tests.retention;
