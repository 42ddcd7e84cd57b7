// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal;

import dev.fanout.ChildSpec;
import dev.fanout.internal.node.Reconciler.Job;
import dev.fanout.spi.Cursors;
import dev.fanout.spi.Layout;
import dev.fanout.spi.Layout.Attachment;
import dev.fanout.spi.StreamPartition;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What can be owned, as of one layout: {@code lane/<n>} for each lane of the store, {@code retention} once, and
 * {@code child/<name>/<partition>} for each partition of each attached child that this process can run. A child that only others
 * can run is theirs alone and does not appear; one that is paused has nothing to own. Immutable.
 *
 * @param <T> the transaction handle of the store
 */
final class Resources<T> {

    static final String RETENTION = "retention";

    private static final String LANE = "lane/";
    private static final String CHILD = "child/";

    private final Layout layout;
    private final List<ChildSpec<T>> specs;
    private final Map<String, Job> all = new LinkedHashMap<>();
    private final Map<String, Child<T>> children = new LinkedHashMap<>();

    /** One partition of one child: the same only under the same attachment and declaration. */
    record Child<T>(ChildSpec<T> spec, Attachment attachment, StreamPartition partition) {}

    Resources(Layout layout, List<ChildSpec<T>> specs) {
        this.layout = layout;
        this.specs = specs;
        layout.streams().forEach(stream -> all.put(lane(stream.lane()), new Job("", LANE)));
        all.put(RETENTION, new Job("", RETENTION));
        for (ChildSpec<T> spec : specs) {
            layout.attachment(spec.name()).ifPresent(attachment -> add(spec, attachment));
        }
    }

    private void add(ChildSpec<T> spec, Attachment attachment) {
        Layout.Stream stream = layout.stream(attachment.stream()).orElseThrow();
        if (!stream.name().equals(spec.stream())) {
            // another process moved the child to another stream since: theirs
            return;
        }
        for (int partition = 0; partition < stream.partitions(); partition++) {
            String resource = CHILD + spec.name() + "/" + partition;
            Child<T> child = new Child<>(spec, attachment, new StreamPartition(stream.no(), partition));
            children.put(resource, child);
            if (!attachment.paused()) {
                all.put(resource, new Job(spec.name(), child));
            }
        }
    }

    /** These, or others where layout or declarations have changed. */
    Resources<T> of(Layout now, List<ChildSpec<T>> known) {
        return layout.equals(now) && specs.equals(known) ? this : new Resources<>(now, known);
    }

    Layout layout() {
        return layout;
    }

    Map<String, Job> all() {
        return all;
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
