/** Many rows: memory, and what a held snapshot costs. */
package dev.fanout.postgres.tests.volume;
