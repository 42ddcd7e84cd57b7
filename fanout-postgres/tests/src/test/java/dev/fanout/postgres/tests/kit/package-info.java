/**
 * What tests of the whole engine share: an engine on a real database, a projection that remembers, and an independent look
 * at the tables.
 */
package dev.fanout.postgres.tests.kit;
