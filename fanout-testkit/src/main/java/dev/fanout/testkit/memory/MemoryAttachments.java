// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.memory;

import dev.fanout.spi.Attachments;
import dev.fanout.spi.Declaration;
import dev.fanout.spi.Layout;
import dev.fanout.spi.Layout.Attachment;
import dev.fanout.spi.StreamPartition;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/** Children that come and go. */
final class MemoryAttachments implements Attachments {

    private final MemoryDatabase database;

    MemoryAttachments(MemoryDatabase database) {
        this.database = database;
    }

    @Override
    public List<Stored> all() {
        synchronized (database) {
            return database.layout.children();
        }
    }

    @Override
    public boolean attach(Declaration.Child child) {
        synchronized (database) {
            boolean wasDetached = database.layout.child(child.name()).isPresent();
            Optional<Attachment> attachment = database.layout.attach(child);
            attachment.ifPresent(added -> begin(added, child.fromBeginning()));
            attachment.filter(added -> wasDetached).ifPresent(this::raiseTokens);
            database.wakes.changed();
            return attachment.isPresent();
        }
    }

    /** Gives a new attachment its cursors. */
    void begin(Attachment attachment, boolean fromBeginning) {
        for (StreamPartition at : partitions(attachment.stream())) {
            long start = fromBeginning ? database.log.first(at) : database.log.head(at);
            database.cursors.attach(attachment, at.partition(), start);
        }
    }

    private List<StreamPartition> partitions(int stream) {
        Layout.Stream known = database.layout.layout().stream(stream).orElseThrow();
        return IntStream.range(0, known.partitions())
                .mapToObj(partition -> new StreamPartition(stream, partition))
                .toList();
    }

    private void raiseTokens(Attachment attachment) {
        for (StreamPartition at : partitions(attachment.stream())) {
            database.leases.raise("child/" + attachment.child() + "/" + at.partition());
        }
        database.wakes.changed();
    }

    @Override
    public boolean detach(String child) {
        synchronized (database) {
            boolean detached = database.layout.detach(child);
            if (detached) {
                raiseTokens(database.layout.child(child).orElseThrow().attachment());
            }
            return detached;
        }
    }

    @Override
    public boolean pause(String child, boolean paused) {
        synchronized (database) {
            boolean changed = database.layout.pause(child, paused);
            if (changed) {
                database.wakes.changed();
            }
            return changed;
        }
    }

    @Override
    public Deletion delete(String stream, int limit) {
        synchronized (database) {
            return database.layout.stream(stream)
                    .map(known -> delete(known, limit))
                    .orElseGet(Deletion.Unknown::new);
        }
    }

    private Deletion delete(Layout.Stream stream, int limit) {
        List<Attachment> dependents = database.layout.layout().attachments().stream()
                .filter(child -> child.stream() == stream.no() || child.target().equals(OptionalInt.of(stream.no())))
                .toList();
        List<String> streams = dependents.stream()
                .filter(child -> child.stream() == stream.no() && child.target().isPresent())
                .map(Attachment::child)
                .toList();
        if (!streams.isEmpty()) {
            return new Deletion.HasStreams(streams);
        }
        long awaited = database.outbox.count(stream.no());
        if (awaited > 0) {
            return new Deletion.Awaited(Math.min(awaited, 1000));
        }
        if (!dependents.isEmpty()) {
            dependents.forEach(child -> detach(child.child()));
            return new Deletion.Going(0);
        }
        long removed = database.log.remove(stream.no(), limit);
        if (removed > 0) {
            return new Deletion.Going(removed);
        }
        database.layout.remove(stream);
        database.wakes.changed();
        return new Deletion.Gone();
    }

    @Override
    public Swept sweep(int limit) {
        synchronized (database) {
            Layout layout = database.layout.layout();
            long rows =
                    database.cursors.sweep(database.layout::isOver) + database.parked.sweep(database.layout::isOver);
            rows += database.leases.sweep(resource -> isNobodys(resource, layout));
            long records = database.log.removeStreams(no -> layout.stream(no).isEmpty(), limit);
            return new Swept(rows, records);
        }
    }

    private static boolean isNobodys(String resource, Layout layout) {
        if (!resource.startsWith("child/")) {
            return false;
        }
        String[] parts = resource.split("/", -1);
        return layout.attachment(parts[1])
                .flatMap(attachment -> layout.stream(attachment.stream()))
                .filter(stream -> Integer.parseInt(parts[2]) < stream.partitions())
                .isEmpty();
    }
}
