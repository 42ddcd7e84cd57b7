// SPDX-License-Identifier: Apache-2.0
package dev.fanout.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What can be seen only in the sources. */
class SourcesTest {

    /** A statement in a string: upper or lower case, at its beginning. */
    private static final Pattern SQL = Pattern.compile(
            "\"\\s*(select|insert\\s+into|update\\s+\\S+\\s+set|delete\\s+from|with\\s+\\w+\\s+as|create\\s+(table|schema|index)"
                    + "|alter\\s+table|drop\\s+(table|schema)|listen\\s|notify\\s|lock\\s+table)\\b",
            Pattern.CASE_INSENSITIVE);

    private static final Pattern SLEEP = Pattern.compile("Thread\\.sleep\\(|TimeUnit\\.\\w+\\.sleep\\(");

    private static final Path ROOT = root();

    @Test
    void sql_lives_in_sql_files_only() {
        assertThat(linesMatching(SQL, "fanout-core/src/main", "fanout-postgres/src/main"))
                .isEmpty();
    }

    @Test
    void the_rule_about_sql_would_notice_some() {
        assertThat(List.of("x = \"select 1\"", "\" INSERT  INTO t\"", "\"update t set a = 1\"", "\"with a as (\""))
                .allMatch(line -> SQL.matcher(line).find());
        assertThat(List.of("\"selected\"", "\"update the index\"", "\"with \" + name", "\"insert\""))
                .noneMatch(line -> SQL.matcher(line).find());
    }

    @Test
    void nobody_sleeps_for_luck() {
        assertThat(linesMatching(SLEEP, "fanout-core", "fanout-postgres", "fanout-testkit", "docs"))
                .allSatisfy((place, line) -> assertThat(place).contains("SourcesTest.java"));
    }

    @Test
    void a_file_stays_readable() {
        Map<String, Integer> long_ = new TreeMap<>();
        for (Path file : javaFiles("fanout-core/src/main", "fanout-postgres/src/main", "fanout-testkit/src/main")) {
            int lines = read(file).size();
            if (lines > 400) {
                long_.put(ROOT.relativize(file).toString(), lines);
            }
        }
        assertThat(long_).isEmpty();
    }

    private static Map<String, String> linesMatching(Pattern pattern, String... folders) {
        Map<String, String> found = new TreeMap<>();
        for (Path file : javaFiles(folders)) {
            List<String> lines = read(file);
            for (int i = 0; i < lines.size(); i++) {
                if (pattern.matcher(lines.get(i)).find()) {
                    found.put(
                            ROOT.relativize(file) + ":" + (i + 1), lines.get(i).strip());
                }
            }
        }
        return found;
    }

    private static List<Path> javaFiles(String... folders) {
        return Stream.of(folders).map(ROOT::resolve).flatMap(SourcesTest::walk).toList();
    }

    private static Stream<Path> walk(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> read(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path root() {
        Path at = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(at.resolve("fanout-core"))) {
            at = at.getParent();
        }
        return at;
    }
}
