// SPDX-License-Identifier: Apache-2.0
package dev.fanout.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What the documents show is what compiles here and runs: each block of Java is marked with {@code <!-- snippet: name -->},
 * and stands, to the letter, between {@code // snippet: name} and {@code // end} in a source of this module.
 */
class SnippetsTest {

    private static final Path ROOT = Path.of("..", "..");
    private static final Path SOURCES = Path.of("src", "test", "java");

    @Test
    void every_block_of_java_in_the_documents_is_marked_and_compiled() throws IOException {
        Map<String, String> compiled = compiled();
        for (Path document : documents()) {
            shown(document)
                    .forEach((name, code) -> assertThat(code)
                            .as("snippet '%s' of %s", name, document)
                            .isEqualTo(compiled.get(name)));
        }
    }

    @Test
    void every_compiled_snippet_is_shown_somewhere() throws IOException {
        List<String> shown = new ArrayList<>();
        for (Path document : documents()) {
            shown.addAll(shown(document).keySet());
        }
        assertThat(compiled().keySet()).containsExactlyInAnyOrderElementsOf(shown);
    }

    private static List<Path> documents() throws IOException {
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"), 1)) {
            return Stream.concat(
                            Stream.of(ROOT.resolve("README.md")),
                            docs.filter(p -> p.toString().endsWith(".md")))
                    .toList();
        }
    }

    private static Map<String, String> shown(Path document) throws IOException {
        Map<String, String> snippets = new LinkedHashMap<>();
        String previous = "";
        List<String> lines = Files.readAllLines(document);
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).equals("```java")) {
                assertThat(previous)
                        .as("the line above the block at %s:%s", document, i + 1)
                        .startsWith("<!-- snippet: ");
                List<String> code = lines.subList(i + 1, lines.size()).stream()
                        .takeWhile(line -> !line.equals("```"))
                        .toList();
                snippets.put(previous.replaceAll("<!-- snippet: (.*) -->", "$1"), String.join("\n", code));
            }
            previous = lines.get(i);
        }
        return snippets;
    }

    private static Map<String, String> compiled() throws IOException {
        Map<String, String> snippets = new LinkedHashMap<>();
        try (Stream<Path> sources = Files.walk(SOURCES)) {
            for (Path source :
                    sources.filter(p -> p.toString().endsWith(".java")).toList()) {
                collect(Files.readAllLines(source), snippets);
            }
        }
        return snippets;
    }

    private static void collect(List<String> lines, Map<String, String> snippets) {
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.startsWith("// snippet: ")) {
                List<String> code = lines.subList(i + 1, lines.size()).stream()
                        .takeWhile(one -> !one.strip().equals("// end"))
                        .toList();
                snippets.put(
                        line.substring("// snippet: ".length()),
                        String.join("\n", code).stripIndent());
            }
        }
    }
}
