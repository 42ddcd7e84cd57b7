// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal;

import dev.fanout.ChildSpec;
import dev.fanout.spi.Cursors;
import dev.fanout.spi.Layout;
import dev.fanout.spi.Layout.Attachment;
import dev.fanout.spi.StreamPartition;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What can be owned: {@code lane/<n>} for each lane of the store, {@code child/<name>/<partition>} for each partition of
 * each child that this process declares. A child that only others declare is theirs alone and does not appear.
 *
 * @param <T> the transaction handle of the store
 */
final class Resources<T> {

    private static final String LANE = "lane/";
    private static final String CHILD = "child/";

    private final Map<String, String> all = new LinkedHashMap<>();
    private final Map<String, Child<T>> children = new LinkedHashMap<>();

    /** One partition of one child. */
    record Child<T>(ChildSpec<T> spec, Attachment attachment, StreamPartition partition) {}

    Resources(Layout layout, List<ChildSpec<T>> specs) {
        layout.streams().forEach(stream -> all.put(lane(stream.lane()), ""));
        for (ChildSpec<T> spec : specs) {
            Attachment attachment = layout.attachment(spec.name()).orElseThrow();
            Layout.Stream stream =
                    layout.stream(Objects.requireNonNull(spec.stream())).orElseThrow();
            for (int partition = 0; partition < stream.partitions(); partition++) {
                String resource = CHILD + spec.name() + "/" + partition;
                all.put(resource, spec.name());
                children.put(resource, new Child<>(spec, attachment, new StreamPartition(stream.no(), partition)));
            }
        }
    }

    Map<String, String> all() {
        return all;
    }

    Set<String> children() {
        return children.values().stream().map(child -> child.spec().name()).collect(Collectors.toSet());
    }

    boolean isLane(String resource) {
        return resource.startsWith(LANE);
    }

    Child<T> child(String resource) {
        return Objects.requireNonNull(children.get(resource));
    }

    Map<Child<T>, Cursors.Cursor> cursors(Cursors<T> stored) {
        Map<Child<T>, Cursors.Cursor> cursors = new LinkedHashMap<>();
        children.values()
                .forEach(child -> cursors.put(
                        child,
                        stored.cursor(child.attachment(), child.partition().partition())));
        return cursors;
    }

    static String lane(int lane) {
        return LANE + lane;
    }

    static int laneOf(String resource) {
        return Integer.parseInt(resource.substring(LANE.length()));
    }
}
