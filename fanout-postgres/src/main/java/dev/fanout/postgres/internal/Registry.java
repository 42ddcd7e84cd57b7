// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import dev.fanout.StartRefusedException;
import dev.fanout.StreamSpec;
import dev.fanout.spi.Declaration;
import dev.fanout.spi.Layout;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The streams and attachments that the database holds. What is declared and not there yet is stored; what is there
 * wins, and a process that declares it otherwise is refused.
 */
final class Registry {

    /** How an entity finds its partition. Stored, so that a release that did it otherwise would be refused. */
    private static final String PARTITIONER = "entity-1";

    private static final int LANE = 0;

    private final Statements statements;

    Registry(Statements statements) {
        this.statements = statements;
    }

    private record StoredStream(Layout.Stream stream, String partitioner) {

        String settings() {
            return settingsOf(stream.partitions(), stream.entityTypes(), partitioner);
        }
    }

    private record StoredChild(Layout.Attachment attachment, String stream, String kind) {

        String settings() {
            return settingsOf(stream, kind);
        }
    }

    private record Stored(List<StoredStream> streams, List<StoredChild> children) {

        boolean hasStream(StreamSpec declared) {
            return streams.stream().anyMatch(s -> s.stream().name().equals(declared.name()));
        }

        boolean hasChild(Declaration.Child declared) {
            return children.stream().anyMatch(c -> c.attachment().child().equals(declared.name()));
        }

        boolean hasAll(Declaration declaration) {
            return declaration.streams().stream().allMatch(this::hasStream)
                    && declaration.children().stream().allMatch(this::hasChild);
        }

        Layout layout() {
            return new Layout(
                    streams.stream().map(StoredStream::stream).toList(),
                    children.stream().map(StoredChild::attachment).toList());
        }
    }

    /** Reads the layout as the connection's transaction sees it. */
    Layout layout(Connection connection) throws SQLException {
        return read(connection).layout();
    }

    /**
     * Stores what is new, in the connection's transaction.
     *
     * @throws StartRefusedException if something is stored otherwise than it is declared
     */
    Layout register(Connection connection, Declaration declaration) throws SQLException {
        begin(connection);
        Stored before = read(connection);
        check(before, declaration);
        if (before.hasAll(declaration)) {
            return before.layout();
        }
        addStreams(connection, before, declaration);
        addChildren(connection, before, declaration);
        // another process may have been first with other settings
        Stored after = read(connection);
        check(after, declaration);
        Layout layout = after.layout();
        layout.checkNumberOfChildren();
        return layout;
    }

    private void begin(Connection connection) throws SQLException {
        try (PreparedStatement begin = connection.prepareStatement(statements.get("begin-open"))) {
            begin.execute();
        }
    }

    /** By name, as in every process: two that add the same streams wait for each other and don't deadlock. */
    private void addStreams(Connection connection, Stored before, Declaration declaration) throws SQLException {
        List<StreamSpec> missing = declaration.streams().stream()
                .filter(declared -> !before.hasStream(declared))
                .sorted(Comparator.comparing(StreamSpec::name))
                .toList();
        for (StreamSpec stream : missing) {
            addStream(connection, stream);
        }
    }

    private void addStream(Connection connection, StreamSpec stream) throws SQLException {
        try (PreparedStatement add = connection.prepareStatement(statements.get("register-stream"))) {
            add.setString(1, stream.name());
            add.setInt(2, stream.partitions());
            add.setString(3, PARTITIONER);
            add.setArray(4, connection.createArrayOf("text", new TreeSet<>(stream.entityTypes()).toArray()));
            add.setInt(5, LANE);
            add.executeUpdate();
        }
    }

    private void addChildren(Connection connection, Stored before, Declaration declaration) throws SQLException {
        List<Declaration.Child> missing = declaration.children().stream()
                .filter(declared -> !before.hasChild(declared))
                .sorted(Comparator.comparing(Declaration.Child::name))
                .toList();
        for (Declaration.Child child : missing) {
            attach(connection, child);
        }
    }

    private void attach(Connection connection, Declaration.Child child) throws SQLException {
        try (PreparedStatement attach = connection.prepareStatement(statements.get("attach-child"))) {
            attach.setString(1, child.name());
            attach.setString(2, child.stream());
            attach.setString(3, child.epoch());
            attach.setString(4, child.kind());
            attach.setString(5, "{\"fromBeginning\": " + child.fromBeginning() + "}");
            attach.setBoolean(6, child.fromBeginning());
            attach.executeUpdate();
        }
    }

    private static void check(Stored stored, Declaration declaration) {
        for (StoredStream stream : stored.streams()) {
            declaration.streams().stream()
                    .filter(declared -> declared.name().equals(stream.stream().name()))
                    .forEach(declared -> check(
                            "stream " + declared.name(),
                            settingsOf(declared.partitions(), declared.entityTypes(), PARTITIONER),
                            stream.settings()));
        }
        for (StoredChild child : stored.children()) {
            declaration.children().stream()
                    .filter(declared ->
                            declared.name().equals(child.attachment().child()))
                    .forEach(declared -> check(
                            "child " + declared.name(),
                            settingsOf(declared.stream(), declared.kind()),
                            child.settings()));
        }
    }

    private static void check(String what, String declared, String stored) {
        if (!declared.equals(stored)) {
            throw new StartRefusedException(what + " is declared with " + declared + ", but stored with " + stored
                    + ": stored settings win; declare the same, or use another name");
        }
    }

    private static String settingsOf(int partitions, Set<String> entityTypes, String partitioner) {
        return "partitions=" + partitions + ", entities=" + new TreeSet<>(entityTypes) + ", partitioner=" + partitioner;
    }

    private static String settingsOf(String stream, String kind) {
        return "stream=" + stream + ", kind=" + kind;
    }

    /** Attachments first: the stream of each was there before it. */
    private Stored read(Connection connection) throws SQLException {
        List<StoredChild> children = readChildren(connection);
        return new Stored(readStreams(connection), children);
    }

    private List<StoredStream> readStreams(Connection connection) throws SQLException {
        List<StoredStream> streams = new ArrayList<>();
        try (PreparedStatement read = connection.prepareStatement(statements.get("read-streams"));
                ResultSet row = read.executeQuery()) {
            while (row.next()) {
                String[] types = (String[]) row.getArray("entity_types").getArray();
                Layout.Stream stream = new Layout.Stream(
                        row.getInt("no"),
                        row.getString("name"),
                        Set.of(types),
                        row.getInt("partitions"),
                        row.getInt("lane"));
                streams.add(new StoredStream(stream, row.getString("partitioner")));
            }
        }
        return streams;
    }

    private List<StoredChild> readChildren(Connection connection) throws SQLException {
        List<StoredChild> children = new ArrayList<>();
        try (PreparedStatement read = connection.prepareStatement(statements.get("read-attachments"));
                ResultSet row = read.executeQuery()) {
            while (row.next()) {
                Layout.Attachment attachment = new Layout.Attachment(
                        row.getInt("no"), row.getString("child"), row.getInt("stream"), row.getString("epoch"));
                children.add(new StoredChild(attachment, row.getString("stream_name"), row.getString("kind")));
            }
        }
        return children;
    }
}
