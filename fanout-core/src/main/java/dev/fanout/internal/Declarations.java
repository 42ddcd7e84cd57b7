// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal;

import dev.fanout.ChildSpec;
import dev.fanout.Filter;
import dev.fanout.spi.Declaration;
import dev.fanout.spi.Platform;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a process declares, as a store takes it. */
final class Declarations {

    private Declarations() {}

    static <T> Declaration declaration(Parts<T> parts, Platform platform) {
        List<Declaration.Child> children = parts.children().stream()
                .map(child -> declared(child, platform))
                .toList();
        return new Declaration(parts.streams(), children, parts.codec(), parts.settings());
    }

    static Declaration.Child declared(ChildSpec<?> child, Platform platform) {
        return new Declaration.Child(
                child.name(),
                String.valueOf(child.stream()),
                String.valueOf(child.kind()),
                child.target(),
                child.delay(),
                filter(child),
                child.isFromBeginning(),
                epoch(platform));
    }

    /** As JSON: the words, the name of the function, or a list of both. */
    private static @Nullable String filter(ChildSpec<?> child) {
        Filter words = child.filter();
        String function = child.filterFunction() == null ? null : "\"" + child.filterFunction() + "\"";
        if (words == null || function == null) {
            return words == null ? function : words.json();
        }
        return "[" + words.json() + ", " + function + "]";
    }

    /** The identity of an attachment: 8 random bytes, in hex. */
    private static String epoch(Platform platform) {
        String hex = Long.toHexString(platform.random());
        return "0".repeat(16 - hex.length()) + hex;
    }
}
