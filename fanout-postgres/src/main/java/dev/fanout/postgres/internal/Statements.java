// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The statements, one resource file each, ready for a schema. Safe for use by many threads.
 *
 * <p>What goes over the wire has lost the comments of the file, but begins with its name, so that a statement seen in
 * {@code pg_stat_activity} or a server log leads back to its file.
 */
public final class Statements {

    private static final String FOLDER = "/dev/fanout/postgres/";

    private final SchemaName schema;
    private final Map<String, String> loaded = new ConcurrentHashMap<>();

    /**
     * Makes the statements of a schema.
     *
     * @param schema the schema
     */
    public Statements(SchemaName schema) {
        this.schema = schema;
    }

    /**
     * Returns a statement.
     *
     * @param name the file's name without its ending
     * @return the SQL, tagged with the name
     */
    public String get(String name) {
        return loaded.computeIfAbsent(name, this::load);
    }

    /**
     * Joins statements that are sent in one round trip. Parameters count on through all of them.
     *
     * @param names the files' names without their endings
     * @return the SQL of all, in order
     */
    public String chain(String... names) {
        String key = String.join(";", names);
        String known = loaded.get(key);
        if (known == null) {
            // not within computeIfAbsent, which must not change the map that it computes for
            known = Arrays.stream(names).map(this::get).collect(Collectors.joining(";\n"));
            loaded.put(key, known);
        }
        return known;
    }

    /**
     * Returns a file as it is, for people: with its comments, but for this schema.
     *
     * @param path the resource's path below the module's folder
     * @return the text
     */
    String text(String path) {
        return raw(path).replace("${schema}", schema.quoted()).replace("${name}", schema.value());
    }

    private String load(String name) {
        String body = text("sql/" + name + ".sql")
                .lines()
                .filter(line -> !line.isBlank() && !line.stripLeading().startsWith("--"))
                .collect(Collectors.joining("\n"))
                .strip();
        String bare = body.endsWith(";") ? body.substring(0, body.length() - 1) : body;
        return "/* fanout " + name + " */ " + bare;
    }

    /** Returns a file byte for byte, as checksums want it. */
    static String raw(String path) {
        try (InputStream file = Statements.class.getResourceAsStream(FOLDER + path)) {
            if (file == null) {
                throw new IllegalStateException("the jar of fanout-postgres lacks " + path + ": was it repackaged?");
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
