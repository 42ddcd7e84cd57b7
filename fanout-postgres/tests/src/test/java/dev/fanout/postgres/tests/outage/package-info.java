/** The database goes and comes back while the engine runs. */
package dev.fanout.postgres.tests.outage;
