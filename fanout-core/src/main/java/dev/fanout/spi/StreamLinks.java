// SPDX-License-Identifier: Apache-2.0
package dev.fanout.spi;

import dev.fanout.StartRefusedException;
import dev.fanout.spi.Declaration.Child;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** The links from parent to child stream, declared here and stored by whomever. */
final class StreamLinks {

    private final Layout stored;
    private final List<Child> declared;
    private final Map<String, String> parents = new HashMap<>();

    StreamLinks(Layout stored, List<Child> children) {
        this.stored = stored;
        this.declared =
                children.stream().filter(child -> child.target() != null).toList();
        stored.attachments()
                .forEach(link -> target(link).ifPresent(target -> parents.put(target.name(), stream(link))));
        declared.forEach(child -> parents.put(child.target(), child.stream()));
    }

    private Optional<Layout.Stream> target(Layout.Attachment link) {
        return link.target().isPresent() ? stored.stream(link.target().getAsInt()) : Optional.empty();
    }

    private String stream(Layout.Attachment link) {
        return stored.stream(link.stream()).map(Layout.Stream::name).orElse("?");
    }

    void check() {
        for (Child child : declared) {
            stored.stream(String.valueOf(child.target())).ifPresent(target -> check(child, target));
            checkNoCycle(child);
        }
    }

    private void check(Child child, Layout.Stream target) {
        stored.feeding(target)
                .filter(link -> !link.child().equals(child.name()))
                .ifPresent(other -> {
                    throw new StartRefusedException("stream '" + target.name() + "' is stored as a child of stream '"
                            + stream(other) + "' (by child '" + other.child() + "') and declared as one of '"
                            + child.stream()
                            + "' (by child '" + child.name() + "'): an entity must reach it by one way only");
                });
        if (!target.entityTypes().isEmpty()) {
            throw new StartRefusedException("stream '" + target.name() + "' is stored with entities "
                    + new TreeSet<>(target.entityTypes()) + " and declared as a child of stream '" + child.stream()
                    + "' (by child '" + child.name() + "'): a stream with a parent takes no appends;"
                    + " use a stream of another name");
        }
    }

    private void checkNoCycle(Child child) {
        List<String> path = new ArrayList<>(List.of(String.valueOf(child.target())));
        for (String at = child.stream(); at != null && path.size() <= parents.size() + 1; at = parents.get(at)) {
            path.add(at);
            if (at.equals(child.target())) {
                Collections.reverse(path);
                throw new StartRefusedException("streams form a cycle with what is stored: " + String.join(" -> ", path)
                        + "; a record would go round for ever: streams form a tree");
            }
        }
    }
}
