// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.statements;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NoSqlInJavaTest {

    private static final Pattern SQL_LITERAL = Pattern.compile(
            "\"\\s*(select\\s|insert\\s+into\\s|update\\s+\\S+\\s+set\\s|delete\\s+from\\s|with\\s+\\w+\\s+as\\s"
                    + "|create\\s+(table|schema|index|function)|alter\\s+table|drop\\s|set\\s+(local|session)\\s"
                    + "|listen\\s|unlisten\\s|notify\\s|truncate\\s|lock\\s+table|explain\\s|begin[;\"])",
            Pattern.CASE_INSENSITIVE);

    @Test
    void no_java_source_of_the_store_holds_sql() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("..", "src", "main", "java"))) {
            List<Path> sources =
                    files.filter(file -> file.toString().endsWith(".java")).toList();
            assertThat(sources).hasSizeGreaterThan(10);
            assertThat(sources)
                    .allSatisfy(source -> assertThat(Files.readString(source)).doesNotContainPattern(SQL_LITERAL));
        }
    }
}
