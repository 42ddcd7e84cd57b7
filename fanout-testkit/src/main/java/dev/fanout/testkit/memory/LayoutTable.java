// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.memory;

import dev.fanout.StartRefusedException;
import dev.fanout.StreamSpec;
import dev.fanout.spi.Declaration;
import dev.fanout.spi.Layout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Streams and attachments. Stored settings win: a declaration that differs is refused, and then nothing is stored. */
final class LayoutTable {

    /** The only lane that an open store makes. */
    private static final int LANE = 0;

    private Optional<Layout> stored = Optional.empty();

    Optional<Layout> read() {
        return stored;
    }

    /**
     * Stores what is new.
     *
     * @return the attachments that are new
     */
    List<Layout.Attachment> open(Declaration declaration) {
        Layout before = stored.orElse(new Layout(List.of(), List.of()));
        Layout streams = new Layout(streams(before, declaration.streams()), before.attachments());
        List<Layout.Attachment> added = added(streams, declaration.children());
        List<Layout.Attachment> all = new ArrayList<>(before.attachments());
        all.addAll(added);
        Layout after = new Layout(streams.streams(), all);
        after.checkNumberOfChildren();
        stored = Optional.of(after);
        return added;
    }

    boolean attached(Layout.Attachment attachment) {
        return stored.map(layout -> layout.attachments().contains(attachment)).orElse(false);
    }

    private static List<Layout.Stream> streams(Layout before, List<StreamSpec> declared) {
        List<Layout.Stream> streams = new ArrayList<>(before.streams());
        for (StreamSpec spec : declared) {
            Optional<Layout.Stream> known = before.stream(spec.name());
            known.ifPresent(stream -> check(stream, spec));
            if (known.isEmpty()) {
                streams.add(new Layout.Stream(
                        streams.size() + 1, spec.name(), spec.entityTypes(), spec.partitions(), LANE));
            }
        }
        return streams;
    }

    private static void check(Layout.Stream stored, StreamSpec declared) {
        if (stored.partitions() != declared.partitions()) {
            throw refused(stored, "partitions", stored.partitions(), declared.partitions());
        }
        if (!stored.entityTypes().equals(declared.entityTypes())) {
            throw refused(
                    stored, "entity types", new TreeSet<>(stored.entityTypes()), new TreeSet<>(declared.entityTypes()));
        }
    }

    private static StartRefusedException refused(Layout.Stream stream, String what, Object stored, Object declared) {
        return new StartRefusedException("stream " + stream.name() + ": stored " + what + " " + stored + ", declared "
                + declared + "; declare what is stored");
    }

    private static List<Layout.Attachment> added(Layout layout, List<Declaration.Child> declared) {
        List<Layout.Attachment> added = new ArrayList<>();
        for (Declaration.Child child : declared) {
            Layout.Stream stream = layout.stream(child.stream()).orElseThrow(() -> unknown(child, layout));
            Optional<Layout.Attachment> known = layout.attachment(child.name());
            known.ifPresent(attachment -> check(attachment, stream, layout));
            if (known.isEmpty()) {
                int no = layout.attachments().size() + added.size() + 1;
                added.add(new Layout.Attachment(no, child.name(), stream.no(), child.epoch()));
            }
        }
        return added;
    }

    private static void check(Layout.Attachment stored, Layout.Stream declared, Layout layout) {
        if (stored.stream() != declared.no()) {
            Set<String> names = new TreeSet<>();
            layout.streams().stream().filter(s -> s.no() == stored.stream()).forEach(s -> names.add(s.name()));
            throw new StartRefusedException("child " + stored.child() + ": stored on stream " + String.join(",", names)
                    + ", declared on " + declared.name() + "; declare what is stored");
        }
    }

    private static StartRefusedException unknown(Declaration.Child child, Layout layout) {
        return new StartRefusedException("child " + child.name() + ": no stream " + child.stream() + "; there are "
                + layout.streams().stream().map(Layout.Stream::name).sorted().toList());
    }
}
