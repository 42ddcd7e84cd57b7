// SPDX-License-Identifier: Apache-2.0
package dev.fanout.examples.jdkcatalog;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** The example's statements: one file each, beside this class. */
final class Sql {

    private Sql() {}

    /** Prepares the statement of a file. */
    static PreparedStatement prepare(Connection connection, String name) throws SQLException {
        return connection.prepareStatement(text(name));
    }

    private static String text(String name) {
        try (InputStream in = Sql.class.getResourceAsStream(name + ".sql")) {
            if (in == null) {
                throw new IllegalArgumentException("no statement " + name + ".sql");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
