/** The process and the server end at the worst moments: nothing is half there, nothing is lost. */
package dev.fanout.postgres.tests.kills;
