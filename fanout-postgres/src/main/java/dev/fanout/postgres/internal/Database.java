// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import dev.fanout.Codec;
import dev.fanout.Settings;
import dev.fanout.spi.Declaration;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What the parts of a store share: its schema, statements and connections, and what was declared when it was opened.
 * Safe for use by many threads.
 */
public final class Database {

    private final SchemaName schema;
    private final Statements statements;
    private final DataSource pool;
    private final Sessions sessions;
    private final DirectConnections direct;
    private volatile @Nullable Declaration declaration;
    private volatile @Nullable WakeNames wakeNames;
    private volatile @Nullable AppendWake appendWake;

    /** What an append to lane 0 needs to wake its relay, hashed once. */
    record AppendWake(long key, String channel) {}

    /**
     * Makes the shared parts.
     *
     * @param schema the store's schema
     * @param pool the application's data source
     * @param direct opens connections beside the pool
     */
    public Database(SchemaName schema, DataSource pool, DirectConnections direct) {
        this.schema = schema;
        this.statements = new Statements(schema);
        this.pool = pool;
        this.sessions = new Sessions(pool, this::answer);
        this.direct = direct;
    }

    /**
     * Returns the schema.
     *
     * @return its name
     */
    public SchemaName schema() {
        return schema;
    }

    /**
     * Returns the statements.
     *
     * @return the statements of the schema
     */
    public Statements statements() {
        return statements;
    }

    /**
     * Returns the pool's connections.
     *
     * @return what borrows them
     */
    public Sessions sessions() {
        return sessions;
    }

    DataSource pool() {
        return pool;
    }

    /**
     * Returns the connections beside the pool.
     *
     * @return what opens them
     */
    public DirectConnections direct() {
        return direct;
    }

    /**
     * Keeps what was declared. Comes before the first connection, so that appends know it while the database is down.
     *
     * @param declared what this process declares
     */
    public void declare(Declaration declared) {
        declaration = declared;
    }

    /**
     * Returns what payloads that are read are decoded with.
     *
     * @return the declared codec
     */
    public Codec codec() {
        return declared().codec();
    }

    /**
     * Returns the engine's numbers.
     *
     * @return the declared settings
     */
    public Settings settings() {
        return declared().settings();
    }

    /**
     * Returns how long the server waits for the next statement of an engine's transaction before it ends the session: half a
     * lease. A stalled owner that holds its lease row's lock is then gone before its lease is over to anyone else.
     *
     * @return the value of {@code idle_in_transaction_session_timeout}, with its unit
     */
    String idleTimeout() {
        return Math.max(1, settings().leaseLength().toMillis() / 2) + "ms";
    }

    /**
     * How long an answer to a statement of the engine may take: the length of a lease. Whoever waited longer has lost what it
     * wrote for.
     */
    private Duration answer() {
        Declaration known = declaration;
        return known == null
                ? Settings.defaults().leaseLength()
                : known.settings().leaseLength();
    }

    private Declaration declared() {
        Declaration known = declaration;
        if (known == null) {
            throw new IllegalStateException("the store was not opened: call open(declaration) first");
        }
        return known;
    }

    /**
     * Returns the names to wake by, asking the server for the database's name the first time.
     *
     * @return the names
     */
    public WakeNames wakeNames() {
        WakeNames known = wakeNames;
        return known != null ? known : sessions.autocommit("reading the database's name", this::wakeNames);
    }

    /**
     * Returns the names to wake by, asking through a connection at hand the first time.
     *
     * @param connection any connection to the database, in any live transaction
     * @return the names
     * @throws SQLException if asking failed
     */
    public WakeNames wakeNames(Connection connection) throws SQLException {
        WakeNames known = wakeNames;
        if (known == null) {
            known = new WakeNames(currentDatabase(connection), schema);
            wakeNames = known;
        }
        return known;
    }

    AppendWake appendWake(Connection connection) throws SQLException {
        AppendWake known = appendWake;
        if (known == null) {
            WakeNames names = wakeNames(connection);
            known = new AppendWake(names.key(0), names.appended(0));
            appendWake = known;
        }
        return known;
    }

    private String currentDatabase(Connection connection) throws SQLException {
        try (PreparedStatement ask = connection.prepareStatement(statements.get("read-database"));
                ResultSet answer = ask.executeQuery()) {
            answer.next();
            return answer.getString(1);
        }
    }
}
