// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.memory;

import dev.fanout.Settings;
import dev.fanout.StartRefusedException;
import dev.fanout.StreamSpec;
import dev.fanout.spi.Attachments.State;
import dev.fanout.spi.Attachments.Stored;
import dev.fanout.spi.Declaration;
import dev.fanout.spi.Layout;
import dev.fanout.spi.Layout.Attachment;
import dev.fanout.spi.Layout.Stream;
import dev.fanout.spi.Limits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/** Streams and children. Stored settings win: a declaration that differs is refused, and then nothing is stored. */
final class LayoutTable {

    /** The only lane that an open store makes. */
    private static final int LANE = 0;

    private Map<String, Stream> streams = new TreeMap<>();
    private Map<String, Stored> children = new TreeMap<>();
    private int lastStream;
    private int lastAttachment;
    private boolean opened;

    /** Empty before a store was opened. */
    Optional<Layout> read() {
        return opened ? Optional.of(layout()) : Optional.empty();
    }

    Layout layout() {
        return new Layout(
                streams.values().stream()
                        .sorted((a, b) -> Integer.compare(a.no(), b.no()))
                        .toList(),
                children.values().stream()
                        .filter(child -> child.state() != State.DETACHED)
                        .map(Stored::attachment)
                        .sorted((a, b) -> Integer.compare(a.no(), b.no()))
                        .toList());
    }

    List<Stored> children() {
        return List.copyOf(children.values());
    }

    Optional<Stored> child(String name) {
        return Optional.ofNullable(children.get(name));
    }

    Optional<Stream> stream(String name) {
        return Optional.ofNullable(streams.get(name));
    }

    /**
     * Stores what is new, all or nothing.
     *
     * @return the attachments that are new
     */
    List<Attachment> open(Declaration declaration) {
        Map<String, Stream> streamsBefore = new TreeMap<>(streams);
        Map<String, Stored> childrenBefore = new TreeMap<>(children);
        try {
            declaration.streams().forEach(spec -> open(spec, declaration.settings()));
            layout().checkTree(declaration.children().stream()
                    .filter(child -> child(child.name())
                            .filter(known -> known.state() == State.DETACHED)
                            .isEmpty())
                    .toList());
            List<Attachment> added = new ArrayList<>();
            declaration.children().forEach(child -> open(child).ifPresent(added::add));
            layout().checkNumberOfChildren();
            layout().attachments().forEach(this::checkRetention);
            opened = true;
            return added;
        } catch (StartRefusedException refused) {
            streams = streamsBefore;
            children = childrenBefore;
            throw refused;
        }
    }

    private void open(StreamSpec spec, Settings settings) {
        Stream known = streams.get(spec.name());
        Duration retention = spec.retention();
        if (known != null) {
            check(known, spec);
            retention = retention == null ? known.retention() : retention;
        } else if (retention == null) {
            retention = settings.streamRetention();
        }
        int no = known == null ? ++lastStream : known.no();
        streams.put(
                spec.name(),
                new Stream(
                        no, spec.name(), spec.entityTypes(), spec.partitions(), LANE, spec.partitioner(), retention));
    }

    private static void check(Stream stored, StreamSpec declared) {
        if (stored.partitions() != declared.partitions()) {
            throw refused(stored, "partitions", stored.partitions(), declared.partitions());
        }
        if (stored.partitioner() != declared.partitioner()) {
            throw refused(stored, "partitioner", stored.partitioner(), declared.partitioner());
        }
        if (!stored.entityTypes().equals(declared.entityTypes())) {
            throw refused(
                    stored, "entity types", new TreeSet<>(stored.entityTypes()), new TreeSet<>(declared.entityTypes()));
        }
    }

    private static StartRefusedException refused(Stream stream, String what, Object stored, Object declared) {
        return new StartRefusedException("stream " + stream.name() + ": stored " + what + " " + stored + ", declared "
                + declared + "; declare what is stored");
    }

    /** A child that was detached stays so. A delay may be declared anew: it decides about no record's place. */
    private Optional<Attachment> open(Declaration.Child child) {
        Stored known = children.get(child.name());
        if (known == null) {
            return Optional.of(add(child));
        }
        if (known.state() != State.DETACHED) {
            check(known, child);
            change(child.name(), stored -> with(stored, delayed(stored.attachment(), child.delay())));
        }
        return Optional.empty();
    }

    /** Attaches a child that is new or detached; empty if it is attached. */
    Optional<Attachment> attach(Declaration.Child child) {
        Stored known = children.get(child.name());
        if (known != null && known.state() != State.DETACHED) {
            check(known, child);
            return Optional.empty();
        }
        layout().checkTree(List.of(child));
        return Optional.of(add(child));
    }

    private Attachment add(Declaration.Child child) {
        Stream stream = streamOf(child, child.stream());
        Limits.checkRetention(stream.name(), stream.retention(), child.name(), child.delay());
        Limits.checkChildren(stream.name(), 1 + attached(stream));
        Attachment attachment = new Attachment(
                ++lastAttachment, child.name(), stream.no(), child.epoch(), false, child.delay(), target(child));
        children.put(child.name(), new Stored(attachment, child.kind(), State.ATTACHED, false));
        return attachment;
    }

    private long attached(Stream stream) {
        return layout().attachments().stream()
                .filter(attachment -> attachment.stream() == stream.no())
                .count();
    }

    private void checkRetention(Attachment attachment) {
        Stream stream = layout().stream(attachment.stream()).orElseThrow();
        Limits.checkRetention(stream.name(), stream.retention(), attachment.child(), attachment.delay());
    }

    private OptionalInt target(Declaration.Child child) {
        String name = child.target();
        return name == null
                ? OptionalInt.empty()
                : OptionalInt.of(streamOf(child, name).no());
    }

    private Stream streamOf(Declaration.Child child, String name) {
        return stream(name)
                .orElseThrow(() -> new StartRefusedException(
                        "child " + child.name() + ": no stream " + name + "; there are " + streams.keySet()));
    }

    private void check(Stored stored, Declaration.Child declared) {
        Attachment attachment = stored.attachment();
        if (!attachment.target().equals(target(declared))) {
            throw new StartRefusedException("child " + declared.name() + ": stored to publish to stream "
                    + attachment.target() + ", declared to " + declared.target() + "; declare what is stored");
        }
        Stream stream = layout().stream(attachment.stream()).orElseThrow();
        if (!stream.name().equals(streamOf(declared, declared.stream()).name())) {
            throw new StartRefusedException("child " + declared.name() + ": stored on stream " + stream.name()
                    + ", declared on " + declared.stream() + "; declare what is stored");
        }
    }

    /** Whether the epoch is not over; pausing a child does not end it. */
    boolean attached(Attachment attachment) {
        return layout().attachments().stream()
                .anyMatch(
                        known -> known.no() == attachment.no() && known.epoch().equals(attachment.epoch()));
    }

    boolean isOver(int attachment) {
        return layout().attachments().stream().noneMatch(known -> known.no() == attachment);
    }

    boolean detach(String child) {
        return attached(child)
                && change(
                        child,
                        stored -> new Stored(
                                paused(stored.attachment(), false),
                                stored.kind(),
                                State.DETACHED,
                                stored.needsRebuild()));
    }

    boolean pause(String child, boolean paused) {
        return attached(child) && change(child, stored -> with(stored, paused(stored.attachment(), paused)));
    }

    void lost(Attachment attachment) {
        change(attachment.child(), stored -> new Stored(stored.attachment(), stored.kind(), stored.state(), true));
    }

    void remove(Stream stream) {
        children.values()
                .removeIf(child -> child.attachment().stream() == stream.no()
                        || child.attachment().target().equals(OptionalInt.of(stream.no())));
        streams.remove(stream.name());
    }

    private boolean attached(String child) {
        return child(child).filter(stored -> stored.state() != State.DETACHED).isPresent();
    }

    private boolean change(String child, UnaryOperator<Stored> change) {
        Stored before = children.get(child);
        if (before == null) {
            return false;
        }
        Stored after = change.apply(before);
        children.put(child, after);
        return !after.equals(before);
    }

    private static Stored with(Stored stored, Attachment attachment) {
        State state = attachment.paused() ? State.PAUSED : State.ATTACHED;
        return new Stored(attachment, stored.kind(), state, stored.needsRebuild());
    }

    private static Attachment delayed(Attachment known, Duration delay) {
        return new Attachment(
                known.no(), known.child(), known.stream(), known.epoch(), known.paused(), delay, known.target());
    }

    private static Attachment paused(Attachment known, boolean paused) {
        return new Attachment(
                known.no(), known.child(), known.stream(), known.epoch(), paused, known.delay(), known.target());
    }
}
