/** The code of README and guides: what stands there stands here, and runs. */
package dev.fanout.docs;
