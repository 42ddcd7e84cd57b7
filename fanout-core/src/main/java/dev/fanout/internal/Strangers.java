// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal;

import dev.fanout.spi.Layout;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says, once per change, which children this process and the store disagree about: those that it declares and somebody detached,
 * and those that are attached and it has no code for. Both are left as they are. Not safe for use by many threads.
 */
final class Strangers {

    private static final Logger LOG = LoggerFactory.getLogger(Strangers.class);

    private final Set<String> detached = new HashSet<>();
    private Set<String> unknown = Set.of();

    void compare(Layout layout, Set<String> known) {
        Set<String> attached = layout.attachments().stream()
                .map(Layout.Attachment::child)
                .collect(Collectors.toCollection(TreeSet::new));
        detached.removeAll(attached);
        for (String child : new TreeSet<>(known)) {
            if (!attached.contains(child) && detached.add(child)) {
                LOG.warn(
                        "child={} is declared here, and detached: it stays detached until children().attach(..) is called",
                        child);
            }
        }
        attached.removeAll(known);
        if (!attached.equals(unknown) && !attached.isEmpty()) {
            LOG.info("children={} are attached, and unknown to this process: they are left to others", attached);
        }
        unknown = attached;
    }
}
