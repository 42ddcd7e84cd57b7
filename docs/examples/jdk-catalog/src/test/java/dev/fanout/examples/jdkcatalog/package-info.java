/** The parts of the example, and the example itself in small. */
package dev.fanout.examples.jdkcatalog;
