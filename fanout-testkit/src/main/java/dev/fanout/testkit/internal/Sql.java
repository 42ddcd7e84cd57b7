// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The testkit's statements, each in a {@code .sql} file beside the classes. */
public final class Sql {

    private Sql() {}

    /** The text of the statement of this name. */
    public static String named(String name) {
        String resource = "/dev/fanout/testkit/sql/" + name + ".sql";
        try (InputStream bytes = Sql.class.getResourceAsStream(resource)) {
            if (bytes == null) {
                throw new IllegalArgumentException("No statement " + resource);
            }
            return new String(bytes.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("Could not read " + resource, e);
        }
    }

    /** The same, for a statement that has the name of a database where parameters are not allowed. */
    public static String named(String name, String placeholder, String identifier) {
        return fill(named(name), placeholder, identifier);
    }

    /** Puts a quoted identifier in the place of {@code {{placeholder}}}. */
    public static String fill(String sql, String placeholder, String identifier) {
        String quoted = '"' + identifier.replace("\"", "\"\"") + '"';
        return sql.replace("{{" + placeholder + "}}", quoted);
    }
}
