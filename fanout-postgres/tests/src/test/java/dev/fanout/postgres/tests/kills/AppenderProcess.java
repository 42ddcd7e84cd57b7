// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.tests.kills;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fanout.Fanout;
import dev.fanout.postgres.tests.kit.Engines;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Scanner;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** An application in a process of its own: one row of its table and one append in one transaction, committed when told. */
final class AppenderProcess {

    private AppenderProcess() {}

    public static void main(String[] arguments) throws Exception {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(arguments[0]);
        source.setUser(arguments[1]);
        try (Scanner input = new Scanner(System.in, UTF_8)) {
            write(source, arguments[2], input::nextLine);
        }
        System.out.println("committed");
    }

    /** What the application does; {@code go} is asked before the commit. */
    static void write(DataSource source, String asset, Runnable go) throws SQLException {
        try (Fanout<Connection> fanout = Engines.on(source).build();
                Connection tx = source.getConnection()) {
            tx.setAutoCommit(false);
            insert(tx, asset);
            Engines.append(fanout, tx, asset);
            System.out.println("appended");
            go.run();
            tx.commit();
        }
    }

    static void insert(Connection tx, String asset) throws SQLException {
        try (PreparedStatement statement = tx.prepareStatement("insert into asset (id, name) values (?, 'pump')")) {
            statement.setString(1, asset);
            statement.executeUpdate();
        }
    }
}
