// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests;

import dev.fanout.postgres.PostgresStore;
import dev.fanout.spi.Store;
import dev.fanout.testkit.TestDatabase;
import dev.fanout.testkit.contract.Harness;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** One database for one test of the contract, with as many nodes on it as the test wants, each with a pool of two. */
final class PostgresHarness implements Harness<Connection> {

    private final TestDatabase database;
    private final List<PostgresStore> stores = new ArrayList<>();
    private final List<Connection> open = new ArrayList<>();

    PostgresHarness(TestDatabase database) {
        this.database = database;
    }

    static void makeTable(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table host (key text primary key, value text not null)");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Store<Connection> connect() {
        PostgresStore store = PostgresStore.of(database.pool(2));
        stores.add(store);
        return store;
    }

    @Override
    public Connection begin() throws SQLException {
        Connection tx = database.connect();
        tx.setAutoCommit(false);
        open.add(tx);
        return tx;
    }

    @Override
    public void commit(Connection tx) throws SQLException {
        tx.commit();
        tx.close();
    }

    @Override
    public void rollback(Connection tx) throws SQLException {
        tx.rollback();
        tx.close();
    }

    @Override
    public long id(Connection tx) throws SQLException {
        try (Statement statement = tx.createStatement();
                ResultSet row = statement.executeQuery("select pg_current_xact_id()::text::bigint")) {
            row.next();
            return row.getLong(1);
        }
    }

    @Override
    public void put(Connection tx, String key, String value) throws SQLException {
        try (PreparedStatement put = tx.prepareStatement(
                "insert into public.host values (?, ?)" + " on conflict (key) do update set value = excluded.value")) {
            put.setString(1, key);
            put.setString(2, value);
            put.executeUpdate();
        }
    }

    @Override
    public Optional<String> get(String key) {
        return database.column("select value from public.host where key = ?", key).stream()
                .findFirst();
    }

    @Override
    public void close() throws SQLException {
        for (Connection tx : open) {
            tx.close();
        }
        stores.forEach(PostgresStore::close);
        database.close();
    }
}
