// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit;

import java.util.Map;

/** What a server does before it acknowledges a commit. */
enum Durability {
    /** Hands it to the operating system: syncs and full page images are only of use to who survives a crash. */
    NONE("off"),
    /** Writes it to the disk: the settings of production. */
    FULL("on");

    private final String toDisk;

    Durability(String toDisk) {
        this.toDisk = toDisk;
    }

    /** The settings of PostgreSQL that make it so. */
    Map<String, String> settings() {
        return Map.of("fsync", toDisk, "full_page_writes", toDisk, "synchronous_commit", "on");
    }
}
