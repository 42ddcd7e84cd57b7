// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres;

import java.nio.ByteBuffer;
import java.security.SecureRandom;

/**
 * A cryptographic random source that fetches its bits by the page: every append draws two numbers for its event's id,
 * and needs no call to the system for each. Safe for use by
 * many threads.
 */
final class Randomness {

    private static final int PAGE = 2_048;

    private final SecureRandom source = new SecureRandom();
    private final ByteBuffer page = ByteBuffer.allocate(PAGE).limit(0);

    /** Returns 64 random bits, never given before. */
    synchronized long next() {
        if (!page.hasRemaining()) {
            source.nextBytes(page.array());
            page.clear();
        }
        return page.getLong();
    }
}
