// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32;

/**
 * One migration of the jar.
 *
 * @param version the number after V in its file's name
 * @param script the file's name
 * @param checksum what Flyway keeps in its history: the CRC32 of the lines without their ends
 */
record Migration(String version, String script, int checksum) {

    private static final String FOLDER = "migration/";

    /** All of them, in order. A file that is in the folder and not here fails a test. */
    private static final List<String> SCRIPTS = List.of("V1__outbox_relay_projections.sql");

    static List<Migration> all() {
        return SCRIPTS.stream().map(Migration::of).toList();
    }

    private static Migration of(String script) {
        String version = script.substring(1, script.indexOf("__"));
        CRC32 crc = new CRC32();
        Statements.raw(FOLDER + script).lines().forEach(line -> crc.update(line.getBytes(StandardCharsets.UTF_8)));
        return new Migration(version, script, (int) crc.getValue());
    }

    /** The file's name as words, as Flyway keeps it. */
    String description() {
        return script.substring(script.indexOf("__") + 2, script.length() - ".sql".length())
                .replace('_', ' ');
    }

    /** The file's place below the module's resources. */
    String path() {
        return FOLDER + script;
    }
}
