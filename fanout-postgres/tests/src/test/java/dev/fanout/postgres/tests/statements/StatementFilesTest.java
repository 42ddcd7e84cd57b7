// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.statements;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.fanout.postgres.internal.SchemaName;
import dev.fanout.postgres.internal.Statements;
import dev.fanout.postgres.tests.Shop;
import dev.fanout.testkit.FanoutTest;
import dev.fanout.testkit.TestDatabase;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

@FanoutTest
class StatementFilesTest {

    private static final Pattern PLANNED =
            Pattern.compile("(select|insert|update|delete|with)\\b.*", Pattern.DOTALL | Pattern.CASE_INSENSITIVE);
    private static final Pattern PARAMETER = Pattern.compile("(?<!\\?)\\?(?!\\?)");

    /** LISTEN takes no parameter: the listener puts the name in, which is made of letters, digits and '_'. */
    private static final String CHANNEL = "${channel}";

    private static final Statements STATEMENTS = new Statements(new SchemaName("fanout"));

    @TestFactory
    Stream<DynamicTest> every_statement_can_be_planned_on_a_fresh_schema(TestDatabase database)
            throws IOException, URISyntaxException {
        Shop.on(database.dataSource()).close();
        return names().stream()
                .map(name -> dynamicTest(name, () -> {
                    for (String part : parts(name)) {
                        plan(database, part);
                    }
                }));
    }

    @TestFactory
    Stream<DynamicTest> every_statement_says_what_it_is_for() throws IOException, URISyntaxException {
        return texts().entrySet().stream()
                .map(file -> dynamicTest(file.getKey(), () -> {
                    assertThat(file.getValue()).as("header").startsWith("-- ");
                    assertThat(file.getValue()).containsPattern("(?m)^-- Parameters");
                    assertThat(file.getValue()).containsPattern("(?mi)^-- .*(reads|writes)\\b");
                    assertThat(file.getValue()).containsPattern("(?mi)^-- .*\\bLocks");
                }));
    }

    @TestFactory
    Stream<DynamicTest> every_statement_carries_its_name_over_the_wire() throws IOException, URISyntaxException {
        return names().stream()
                .map(name -> dynamicTest(
                        name,
                        () -> assertThat(STATEMENTS.get(name))
                                .startsWith("/* fanout " + name + " */ ")
                                .doesNotContain("--")
                                .doesNotContain("${schema}")
                                .doesNotEndWith(";")));
    }

    @TestFactory
    Stream<DynamicTest> the_wake_is_no_call_but_a_part_of_the_statement(TestDatabase database) {
        Shop.on(database.dataSource()).close();
        return Stream.of("append-one", "append-expected")
                .map(name -> dynamicTest(name, () -> {
                    String sql = parts(name).get(0);
                    int parameters = (int) PARAMETER.matcher(sql).results().count();
                    try (Connection connection = database.connect();
                            Statement statement = connection.createStatement()) {
                        statement.execute("set plan_cache_mode = force_generic_plan");
                        statement.execute("prepare waking as " + numbered(sql));
                        try (ResultSet plan =
                                statement.executeQuery("explain verbose execute waking" + arguments(parameters))) {
                            StringBuilder text = new StringBuilder();
                            while (plan.next()) {
                                text.append(plan.getString(1)).append('\n');
                            }
                            assertThat(text.toString())
                                    .contains("pg_try_advisory_lock_shared")
                                    .doesNotContain("wake(");
                        }
                    }
                }));
    }

    private static void plan(TestDatabase database, String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            if (!PLANNED.matcher(sql).matches()) {
                statement.execute(sql);
                connection.rollback();
                return;
            }
            statement.execute("set local plan_cache_mode = force_generic_plan");
            Matcher parameters = PARAMETER.matcher(sql);
            int count = (int) parameters.results().count();
            statement.execute("prepare planned as " + numbered(sql));
            statement.execute("explain execute planned" + arguments(count));
            connection.rollback();
        }
    }

    private static String numbered(String sql) {
        int[] next = {0};
        return PARAMETER
                .matcher(sql)
                .replaceAll(match -> Matcher.quoteReplacement("$" + ++next[0]))
                .replace("??", "?");
    }

    private static String arguments(int count) {
        return count == 0
                ? ""
                : IntStream.range(0, count).mapToObj(i -> "null").collect(Collectors.joining(", ", "(", ")"));
    }

    private static List<String> parts(String name) {
        String sql = STATEMENTS
                .get(name)
                .substring(("/* fanout " + name + " */ ").length())
                .replace(CHANNEL, "some_channel");
        return Stream.of(sql.split(";\\s*\n")).map(String::strip).toList();
    }

    private static List<String> names() throws IOException, URISyntaxException {
        return texts().keySet().stream().sorted().toList();
    }

    private static Map<String, String> texts() throws IOException, URISyntaxException {
        URL one = Objects.requireNonNull(Statements.class.getResource("/dev/fanout/postgres/sql/append.sql"));
        if (!one.getProtocol().equals("jar")) {
            return texts(Path.of(one.toURI()).resolveSibling("."));
        }
        try (FileSystem jar = FileSystems.newFileSystem(one.toURI(), Map.of())) {
            return texts(jar.provider().getPath(URI.create(one.toString())).resolveSibling("."));
        }
    }

    private static Map<String, String> texts(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder.normalize())) {
            return files.collect(Collectors.toMap(
                    file -> file.getFileName().toString().replaceAll("\\.sql$", ""), StatementFilesTest::read));
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
