// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal;

import dev.fanout.ChildSpec;
import dev.fanout.internal.cursor.Passing;
import dev.fanout.spi.Layout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The way of events to a child: from the stream that they are appended to, through the children that publish them on.
 *
 * @param root the stream that events are appended to
 * @param links the child first, then what publishes to its stream, and so on upwards
 */
record Way(String root, List<Link> links) {

    /**
     * A child on the way.
     *
     * @param child its name
     * @param passing what it lets through; everything where only other processes know what that is
     */
    record Link(String child, Passing passing) {}

    static <T> Way to(ChildSpec<T> child, Parts<T> parts, Roster<T> roster, Optional<Layout> layout) {
        List<Link> links = new ArrayList<>();
        links.add(new Link(child.name(), parts.passing(child)));
        String stream = String.valueOf(child.stream());
        int longest = roster.all().size()
                + layout.map(Layout::attachments).map(List::size).orElse(0);
        for (int i = 0; i < longest; i++) {
            String at = stream;
            Optional<ChildSpec<T>> declared = roster.all().stream()
                    .filter(spec -> at.equals(spec.target()))
                    .findFirst();
            Optional<Layout.Attachment> stored =
                    layout.flatMap(known -> known.stream(at).flatMap(known::feeding));
            if (declared.isPresent()) {
                links.add(new Link(declared.get().name(), parts.passing(declared.get())));
                stream = String.valueOf(declared.get().stream());
            } else if (stored.isPresent()) {
                links.add(new Link(stored.get().child(), Passing.ALL));
                stream = layout.flatMap(known -> known.stream(stored.get().stream()))
                        .map(Layout.Stream::name)
                        .orElse(stream);
            } else {
                break;
            }
        }
        return new Way(stream, List.copyOf(links));
    }

    boolean hasFilters() {
        return links.stream().anyMatch(link -> !link.passing().isAll());
    }
}
