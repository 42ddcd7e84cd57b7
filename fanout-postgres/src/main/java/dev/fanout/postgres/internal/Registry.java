// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import dev.fanout.Settings;
import dev.fanout.StartRefusedException;
import dev.fanout.StreamSpec;
import dev.fanout.spi.Attachments;
import dev.fanout.spi.Declaration;
import dev.fanout.spi.Layout;
import dev.fanout.spi.Limits;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The streams and attachments that the database holds. What is declared and not there yet is stored; what is there
 * wins, and a process that declares it otherwise is refused.
 */
final class Registry {

    private static final int LANE = 0;

    private final Statements statements;
    private final Attaching attaching;

    Registry(Statements statements) {
        this.statements = statements;
        this.attaching = new Attaching(statements);
    }

    private record StoredChild(
            Layout.Attachment attachment,
            String stream,
            @Nullable String target,
            String kind,
            boolean detached,
            boolean needsRebuild,
            @Nullable String filter) {

        String settings() {
            return settingsOf(stream, kind, target);
        }

        Attachments.Stored stored() {
            Attachments.State paused = attachment.paused() ? Attachments.State.PAUSED : Attachments.State.ATTACHED;
            return new Attachments.Stored(
                    attachment, kind, detached ? Attachments.State.DETACHED : paused, needsRebuild);
        }
    }

    private record Stored(List<Layout.Stream> streams, List<StoredChild> children) {

        boolean hasStream(StreamSpec declared) {
            return streams.stream().anyMatch(s -> s.name().equals(declared.name()));
        }

        /** A child that was detached is there: to declare it is not to attach it again. */
        boolean hasChild(Declaration.Child declared) {
            return children.stream().anyMatch(c -> c.attachment().child().equals(declared.name()));
        }

        boolean hasDelay(Declaration.Child declared) {
            return children.stream()
                    .map(StoredChild::attachment)
                    .anyMatch(known -> known.child().equals(declared.name())
                            && EventRows.micros(known.delay()) == EventRows.micros(declared.delay()));
        }

        boolean hasFilter(Declaration.Child declared) {
            return children.stream()
                    .anyMatch(known -> known.attachment().child().equals(declared.name())
                            && Objects.equals(known.filter(), declared.filter()));
        }

        boolean isDetached(Declaration.Child declared) {
            return children.stream()
                    .anyMatch(known ->
                            known.detached() && known.attachment().child().equals(declared.name()));
        }

        boolean hasRetention(StreamSpec declared) {
            return streams.stream()
                    .anyMatch(known -> known.name().equals(declared.name())
                            && (declared.retention() == null
                                    || known.retention()
                                            .equals(declared.retention().truncatedTo(ChronoUnit.MICROS))));
        }

        boolean hasAll(Declaration declaration) {
            return declaration.streams().stream().allMatch(this::hasRetention)
                    && declaration.children().stream().allMatch(child -> hasDelay(child) && hasFilter(child));
        }

        Layout layout() {
            return new Layout(
                    streams,
                    children.stream()
                            .filter(child -> !child.detached())
                            .map(StoredChild::attachment)
                            .toList());
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
        setRetentions(connection, before, declaration);
        addChildren(connection, before, declaration);
        setDelays(connection, before, declaration);
        setFilters(connection, before, declaration);
        // another process may have been first with other settings
        Stored after = read(connection);
        check(after, declaration);
        Layout layout = after.layout();
        layout.checkNumberOfChildren();
        checkRetentions(layout);
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
            addStream(connection, stream, declaration.settings());
        }
    }

    private void addStream(Connection connection, StreamSpec stream, Settings settings) throws SQLException {
        try (PreparedStatement add = connection.prepareStatement(statements.get("register-stream"))) {
            add.setString(1, stream.name());
            add.setInt(2, stream.partitions());
            add.setString(3, stream.partitioner().stored());
            add.setArray(4, connection.createArrayOf("text", new TreeSet<>(stream.entityTypes()).toArray()));
            add.setInt(5, LANE);
            Duration declared = stream.retention();
            add.setLong(6, EventRows.micros(declared == null ? settings.streamRetention() : declared));
            add.executeUpdate();
        }
    }

    private void addChildren(Connection connection, Stored before, Declaration declaration) throws SQLException {
        List<Declaration.Child> missing = declaration.children().stream()
                .filter(declared -> !before.hasChild(declared))
                .sorted(Comparator.comparing(Declaration.Child::name))
                .toList();
        // all of them first, by name, as in every process: no deadlock with one that declares other children of them
        for (String stream :
                new TreeSet<>(missing.stream().map(Declaration.Child::stream).toList())) {
            attaching.lock(connection, stream);
        }
        for (Declaration.Child child : missing) {
            attaching.attach(connection, child);
        }
    }

    /** A delay may be declared anew: unlike what else is stored, it decides about no record's place. */
    private void setDelays(Connection connection, Stored before, Declaration declaration) throws SQLException {
        List<Declaration.Child> changed = declaration.children().stream()
                .filter(declared -> before.hasChild(declared) && !before.hasDelay(declared))
                .sorted(Comparator.comparing(Declaration.Child::name))
                .toList();
        for (Declaration.Child child : changed) {
            try (PreparedStatement set = connection.prepareStatement(statements.get("set-delay"))) {
                long delay = EventRows.micros(child.delay());
                Parameters.of(set).add(delay).add(child.name()).add(delay);
                set.executeUpdate();
            }
        }
    }

    private void setFilters(Connection connection, Stored before, Declaration declaration) throws SQLException {
        List<Declaration.Child> changed = declaration.children().stream()
                .filter(declared -> before.hasChild(declared) && !before.hasFilter(declared))
                .sorted(Comparator.comparing(Declaration.Child::name))
                .toList();
        for (Declaration.Child child : changed) {
            try (PreparedStatement set = connection.prepareStatement(statements.get("set-filter"))) {
                Parameters.of(set).add(child.filter()).add(child.name()).add(child.filter());
                set.executeUpdate();
            }
        }
    }

    /** One that is declared replaces what is stored. */
    private void setRetentions(Connection connection, Stored before, Declaration declaration) throws SQLException {
        List<StreamSpec> changed = declaration.streams().stream()
                .filter(declared -> before.hasStream(declared) && !before.hasRetention(declared))
                .sorted(Comparator.comparing(StreamSpec::name))
                .toList();
        for (StreamSpec stream : changed) {
            try (PreparedStatement set = connection.prepareStatement(statements.get("set-retention"))) {
                long retention = EventRows.micros(Objects.requireNonNull(stream.retention()));
                Parameters.of(set).add(retention).add(stream.name()).add(retention);
                set.executeUpdate();
            }
        }
    }

    private static void checkRetentions(Layout layout) {
        for (Layout.Attachment child : layout.attachments()) {
            Layout.Stream stream = layout.stream(child.stream()).orElseThrow();
            Limits.checkRetention(stream.name(), stream.retention(), child.child(), child.delay());
        }
    }

    /** Reads all children as the connection's transaction sees them. */
    List<Attachments.Stored> children(Connection connection) throws SQLException {
        return readChildren(connection).stream()
                .sorted(Comparator.comparing(child -> child.attachment().child()))
                .map(StoredChild::stored)
                .toList();
    }

    /** Refuses a child that is attached otherwise than it is declared. */
    void check(Connection connection, Declaration.Child declared) throws SQLException {
        Stored stored = read(connection);
        stored.layout().checkTree(List.of(declared));
        stored.children().stream()
                .filter(known -> !known.detached() && known.attachment().child().equals(declared.name()))
                .forEach(known -> check(declared, known));
    }

    private static void check(Declaration.Child declared, StoredChild known) {
        check(
                "child " + declared.name(),
                settingsOf(declared.stream(), declared.kind(), declared.target()),
                known.settings());
    }

    private static void check(Stored stored, Declaration declaration) {
        for (Layout.Stream stream : stored.streams()) {
            declaration.streams().stream()
                    .filter(declared -> declared.name().equals(stream.name()))
                    .forEach(declared -> check(
                            "stream " + declared.name(),
                            settingsOf(declared.partitions(), declared.entityTypes(), declared.partitioner()),
                            settingsOf(stream.partitions(), stream.entityTypes(), stream.partitioner())));
        }
        for (StoredChild child : stored.children()) {
            if (child.detached()) {
                continue;
            }
            declaration.children().stream()
                    .filter(declared ->
                            declared.name().equals(child.attachment().child()))
                    .forEach(declared -> check(declared, child));
        }
        stored.layout()
                .checkTree(declaration.children().stream()
                        .filter(declared -> !stored.isDetached(declared))
                        .toList());
    }

    private static void check(String what, String declared, String stored) {
        if (!declared.equals(stored)) {
            throw new StartRefusedException(what + " is declared with " + declared + ", but stored with " + stored
                    + ": stored settings win; declare the same, or use another name");
        }
    }

    private static String settingsOf(int partitions, Set<String> entityTypes, StreamSpec.Partitioner partitioner) {
        return "partitions=" + partitions + ", entities=" + new TreeSet<>(entityTypes) + ", partitioner="
                + partitioner.stored();
    }

    private static String settingsOf(String stream, String kind, @Nullable String target) {
        return "stream=" + stream + ", kind=" + kind + (target == null ? "" : ", to=" + target);
    }

    /** Attachments first: the stream of each was there before it. */
    private Stored read(Connection connection) throws SQLException {
        List<StoredChild> children = readChildren(connection);
        return new Stored(readStreams(connection), children);
    }

    private List<Layout.Stream> readStreams(Connection connection) throws SQLException {
        List<Layout.Stream> streams = new ArrayList<>();
        try (PreparedStatement read = connection.prepareStatement(statements.get("read-streams"));
                ResultSet row = read.executeQuery()) {
            while (row.next()) {
                String[] types = (String[]) row.getArray("entity_types").getArray();
                streams.add(new Layout.Stream(
                        row.getInt("no"),
                        row.getString("name"),
                        Set.of(types),
                        row.getInt("partitions"),
                        row.getInt("lane"),
                        StreamSpec.Partitioner.ofStored(row.getString("partitioner")),
                        Duration.of(row.getLong("retention"), ChronoUnit.MICROS)));
            }
        }
        return streams;
    }

    private List<StoredChild> readChildren(Connection connection) throws SQLException {
        List<StoredChild> children = new ArrayList<>();
        try (PreparedStatement read = connection.prepareStatement(statements.get("read-attachments"));
                ResultSet row = read.executeQuery()) {
            while (row.next()) {
                children.add(new StoredChild(
                        attachment(row),
                        row.getString("stream_name"),
                        row.getString("target_name"),
                        row.getString("kind"),
                        row.getBoolean("detached"),
                        row.getBoolean("needs_rebuild"),
                        row.getString("filter")));
            }
        }
        return children;
    }

    private static Layout.Attachment attachment(ResultSet row) throws SQLException {
        int target = row.getInt("target");
        OptionalInt publishesTo = row.wasNull() ? OptionalInt.empty() : OptionalInt.of(target);
        return new Layout.Attachment(
                row.getInt("no"),
                row.getString("child"),
                row.getInt("stream"),
                row.getString("epoch"),
                row.getBoolean("paused"),
                Duration.of(row.getLong("delay"), ChronoUnit.MICROS),
                publishesTo);
    }
}
