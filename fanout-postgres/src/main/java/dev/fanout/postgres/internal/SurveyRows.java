// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import dev.fanout.StreamSpec.Partitioner;
import dev.fanout.spi.Layout;
import dev.fanout.spi.Leases.Asked;
import dev.fanout.spi.Leases.Held;
import dev.fanout.spi.Leases.Node;
import dev.fanout.spi.Leases.Survey;
import dev.fanout.spi.StreamPartition;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** Collects the rows of survey.sql, whatever each of them is. */
final class SurveyRows {

    private final List<Node> nodes = new ArrayList<>();
    private final List<Held> leases = new ArrayList<>();
    private final Map<StreamPartition, Long> heads = new HashMap<>();
    private final List<Layout.Stream> streams = new ArrayList<>();
    private final List<Layout.Attachment> attachments = new ArrayList<>();
    private final Set<Asked> asked = new HashSet<>();

    void add(ResultSet row) throws SQLException {
        switch (row.getString("kind")) {
            case "node" -> nodes.add(node(row));
            case "lease" -> leases.add(held(row));
            case "stream" -> streams.add(stream(row));
            case "child" -> attachments.add(attachment(row));
            case "asked" -> asked.add(new Asked(row.getInt("no"), row.getInt("partition")));
            default -> heads.put(new StreamPartition(row.getInt("no"), row.getInt("partition")), row.getLong("value"));
        }
    }

    Survey survey() {
        return new Survey(nodes, leases, heads, new Layout(streams, attachments), asked);
    }

    private static Node node(ResultSet row) throws SQLException {
        return new Node(row.getLong("no"), row.getString("name"), row.getLong("value"), names(row));
    }

    private static Set<String> names(ResultSet row) throws SQLException {
        return Set.of((String[]) row.getArray("children").getArray());
    }

    private static Held held(ResultSet row) throws SQLException {
        long node = row.getLong("no");
        OptionalLong owner = row.wasNull() ? OptionalLong.empty() : OptionalLong.of(node);
        return new Held(row.getString("name"), owner, row.getLong("value"));
    }

    private static Layout.Stream stream(ResultSet row) throws SQLException {
        return new Layout.Stream(
                row.getInt("no"),
                row.getString("name"),
                names(row),
                row.getInt("partition"),
                row.getInt("target"),
                Partitioner.ofStored(row.getString("epoch")),
                Duration.of(row.getLong("value"), ChronoUnit.MICROS));
    }

    private static Layout.Attachment attachment(ResultSet row) throws SQLException {
        int target = row.getInt("target");
        OptionalInt publishesTo = row.wasNull() ? OptionalInt.empty() : OptionalInt.of(target);
        return new Layout.Attachment(
                row.getInt("no"),
                row.getString("name"),
                row.getInt("partition"),
                row.getString("epoch"),
                row.getBoolean("flag"),
                Duration.of(row.getLong("value"), ChronoUnit.MICROS),
                publishesTo);
    }
}
