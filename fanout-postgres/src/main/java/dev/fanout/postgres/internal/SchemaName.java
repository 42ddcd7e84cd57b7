// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import java.util.regex.Pattern;

/**
 * The name of the store's schema. Narrower than what PostgreSQL allows, since it stands in statements, function bodies
 * and string literals; quoted wherever it does, so that a reserved word is as good as any.
 *
 * @param value the name
 */
public record SchemaName(String value) {

    private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_]{0,62}");

    /**
     * Checks the name.
     *
     * @throws IllegalArgumentException if it is not a plain lower-case name, or reserved by PostgreSQL
     */
    public SchemaName {
        if (!NAME.matcher(value).matches()) {
            throw new IllegalArgumentException("invalid schema '" + value
                    + "': use 1 to 63 lower-case letters, digits or '_', and don't start with a digit");
        }
        if (value.startsWith("pg_") || value.equals("information_schema")) {
            throw new IllegalArgumentException(
                    "invalid schema '" + value + "': PostgreSQL reserves it; use another name");
        }
    }

    /**
     * Returns the name as it stands in SQL.
     *
     * @return the quoted identifier
     */
    public String quoted() {
        return '"' + value + '"';
    }
}
