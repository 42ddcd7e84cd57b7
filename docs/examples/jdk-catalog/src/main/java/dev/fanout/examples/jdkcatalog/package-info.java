/** The whole job on real input: every class of the running JDK. */
@NullMarked
package dev.fanout.examples.jdkcatalog;

import org.jspecify.annotations.NullMarked;
