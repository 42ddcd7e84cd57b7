// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The command line of a postmaster.
 *
 * @param program the path of {@code postgres}
 * @param data its data directory
 * @param port the port it listens on
 * @param settings its settings, of which the test's own win
 */
record PostgresCommand(Path program, Path data, int port, Map<String, String> settings) {

    List<String> words() {
        List<String> words = new ArrayList<>(List.of(
                program.toString(),
                "-D",
                data.toString(),
                "-p",
                Integer.toString(port),
                // No Unix socket: its path would have to be short and its directory shared.
                "-k",
                "",
                "-c",
                "listen_addresses=127.0.0.1",
                // Readiness is read from the log.
                "-c",
                "lc_messages=C",
                "-c",
                "logging_collector=off",
                "-c",
                "log_destination=stderr"));
        settings.forEach((name, value) -> words.addAll(List.of("-c", name + "=" + value)));
        return words;
    }
}
