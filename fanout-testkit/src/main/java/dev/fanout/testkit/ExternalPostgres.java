// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.postgresql.ds.PGSimpleDataSource;

/** A server that somebody else runs, named by a JDBC URL. */
final class ExternalPostgres implements PostgresServer {

    private static final Pattern FORM = Pattern.compile("(jdbc:postgresql://[^/]+/)([^?]+)(\\?.*)?");

    private final String beforeDatabase;
    private final String database;
    private final String afterDatabase;
    private final String user;
    private final String password;

    ExternalPostgres(String url) {
        Matcher parts = FORM.matcher(url);
        if (!parts.matches()) {
            // The URL itself is not in the message: it may hold a password.
            throw new IllegalStateException("The URL of the tests' server (fanout.test.jdbcUrl) is not of the form"
                    + " jdbc:postgresql://host:port/database?user=..&password=..");
        }
        PGSimpleDataSource parsed = new PGSimpleDataSource();
        parsed.setUrl(url);
        beforeDatabase = parts.group(1);
        database = parts.group(2);
        afterDatabase = Optional.ofNullable(parts.group(3)).orElse("");
        user = Optional.ofNullable(parsed.getUser()).orElse(System.getProperty("user.name"));
        password = Optional.ofNullable(parsed.getPassword()).orElse("");
    }

    @Override
    public String jdbcUrl(String name) {
        return beforeDatabase + name + afterDatabase;
    }

    @Override
    public String user() {
        return user;
    }

    @Override
    public String password() {
        return password;
    }

    @Override
    public String maintenanceDatabase() {
        return database;
    }

    @Override
    public void close() {
        // Not ours to stop.
    }

    @Override
    public String toString() {
        return "PostgreSQL at " + beforeDatabase;
    }
}
