// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal;

import dev.fanout.ChildSpec;
import dev.fanout.Status;
import dev.fanout.spi.Attachments;
import dev.fanout.spi.Cursors.Counts;
import dev.fanout.spi.Cursors.Cursor;
import dev.fanout.spi.Layout;
import dev.fanout.spi.Store;
import dev.fanout.spi.StreamPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads how far children are behind. The outbox is read first, then the cursors, then the heads: a record on its way is
 * seen at least once and never missed between two of them.
 *
 * @param <T> the transaction handle of the store
 */
record Distances<T>(Store<T> store, List<ChildSpec<T>> specs) {

    Status read() {
        Layout layout = store.leases().survey().layout();
        long waiting = layout.streams().stream()
                .mapToInt(Layout.Stream::lane)
                .distinct()
                .mapToLong(store.outbox()::waiting)
                .sum();
        Resources<T> resources = new Resources<>(layout, specs);
        Set<Integer> rebuilding = store.attachments().all().stream()
                .filter(Attachments.Stored::needsRebuild)
                .map(stored -> stored.attachment().no())
                .collect(Collectors.toSet());
        Map<Resources.Child<T>, Cursor> cursors = resources.cursors(store.cursors());
        Map<StreamPartition, Long> heads = store.leases().survey().heads();
        List<Status.Child> children = new ArrayList<>();
        cursors.forEach((child, cursor) -> children.add(status(
                child, cursor, heads, rebuilding.contains(child.attachment().no()))));
        return new Status(waiting, children);
    }

    private Status.Child status(
            Resources.Child<T> child, Cursor cursor, Map<StreamPartition, Long> heads, boolean needsRebuild) {
        Counts counts = cursor.counts();
        return new Status.Child(
                child.spec().name(),
                child.partition().partition(),
                heads.getOrDefault(child.partition(), 0L),
                cursor.position(),
                counts.applied(),
                counts.gated(),
                counts.skipped(),
                counts.filtered(),
                counts.parked(),
                counts.discarded(),
                counts.lost(),
                needsRebuild);
    }
}
