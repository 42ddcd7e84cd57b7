/** The store on real PostgreSQL, one class per scenario family. */
package dev.fanout.postgres.tests;
