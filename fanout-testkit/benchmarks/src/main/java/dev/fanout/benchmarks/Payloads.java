// SPDX-License-Identifier: Apache-2.0
package dev.fanout.benchmarks;

import java.util.SplittableRandom;

/** What is appended: documents of 512 bytes, to one of a thousand entities. */
final class Payloads {

    /** How many entities there are. */
    static final int ENTITIES = 1_000;

    private static final int BYTES = 512;
    private static final String DOCUMENT = make();

    private Payloads() {}

    /** The document: JSON of 512 bytes with several members, too small to be compressed or moved out of the row. */
    static String document() {
        return DOCUMENT;
    }

    /** The name of an entity. */
    static String entity(int number) {
        return "e" + number;
    }

    private static String make() {
        SplittableRandom random = new SplittableRandom(512);
        StringBuilder json =
                new StringBuilder("{\"name\": \"pump-7\", \"kind\": \"asset\", \"size\": 4711, \"tags\": [\"a\","
                        + " \"b\"], \"text\": \"");
        while (json.length() < BYTES - 2) {
            json.append((char) ('a' + random.nextInt(26)));
        }
        return json.append("\"}").toString();
    }
}
