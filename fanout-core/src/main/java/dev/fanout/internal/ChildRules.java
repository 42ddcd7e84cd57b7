// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal;

import dev.fanout.ChildSpec;
import dev.fanout.ChildSpec.Kind;
import dev.fanout.StartRefusedException;
import dev.fanout.StreamSpec;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a child may be declared as, judged by itself and by the streams that are declared beside it. */
final class ChildRules {

    private ChildRules() {}

    static void check(ChildSpec<?> child, Collection<StreamSpec> streams) {
        checkStream(child, streams);
        if (child.kind() == Kind.STREAM) {
            checkTarget(child, streams);
        }
        if (child.kind() == Kind.TRANSACTIONAL && child.concurrency() > 1) {
            throw new StartRefusedException("child '" + child.name() + "' is transactional and declares concurrency "
                    + child.concurrency() + ": a partition is one transaction; give stream '" + child.stream()
                    + "' more partitions instead");
        }
    }

    private static void checkStream(ChildSpec<?> child, Collection<StreamSpec> streams) {
        if (find(child.stream(), streams).isEmpty()) {
            throw new StartRefusedException("child '" + child.name() + "' hangs on stream '" + child.stream()
                    + "', which is not declared; declared streams: " + names(streams));
        }
    }

    private static Optional<StreamSpec> find(@Nullable String name, Collection<StreamSpec> streams) {
        return streams.stream().filter(stream -> stream.name().equals(name)).findFirst();
    }

    private static List<String> names(Collection<StreamSpec> streams) {
        return streams.stream().map(StreamSpec::name).toList();
    }

    private static void checkTarget(ChildSpec<?> child, Collection<StreamSpec> streams) {
        StreamSpec target = find(child.target(), streams)
                .orElseThrow(() -> new StartRefusedException("child '" + child.name() + "' publishes to stream '"
                        + child.target() + "', which is not declared; declared streams: " + names(streams)));
        if (!target.entityTypes().isEmpty()) {
            throw new StartRefusedException(
                    "stream '" + target.name() + "' declares entities(" + String.join(", ", target.entityTypes())
                            + ") and is a child of stream '" + child.stream() + "' (by child '" + child.name()
                            + "'): a stream with a parent takes no appends; take its entities(..) away");
        }
        if (child.concurrency() > 1 || child.isLatestOnly()) {
            throw new StartRefusedException("child '" + child.name() + "' publishes to stream '" + target.name()
                    + "' and declares " + (child.isLatestOnly() ? "latestOnly()" : "concurrency " + child.concurrency())
                    + ": a stream gets every record in order; declare it for the children of '" + target.name() + "'");
        }
    }
}
