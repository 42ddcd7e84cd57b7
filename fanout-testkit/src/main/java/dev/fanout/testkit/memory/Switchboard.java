// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.memory;

import dev.fanout.WakeMode;
import dev.fanout.spi.Wakes;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Who listens, who holds which lane, and what is told to whom. */
final class Switchboard {

    private final Set<MemoryWakes> listening = new LinkedHashSet<>();
    private final Map<Integer, MemoryWakes> lanes = new HashMap<>();
    private boolean losing;

    void lose(boolean lose) {
        losing = lose;
    }

    void join(MemoryWakes node) {
        listening.add(node);
    }

    void leave(MemoryWakes node) {
        listening.remove(node);
        letGo(node);
    }

    void letGo(MemoryWakes node) {
        lanes.values().removeIf(holder -> holder == node);
    }

    boolean listens(MemoryWakes node) {
        return listening.contains(node);
    }

    boolean held(int lane) {
        return lanes.containsKey(lane);
    }

    boolean hold(MemoryWakes node, int lane) {
        return listens(node) && (lanes.putIfAbsent(lane, node) == null || lanes.get(lane) == node);
    }

    boolean letGo(MemoryWakes node, int lane) {
        return lanes.remove(lane, node);
    }

    void appended(int lane) {
        tell(null, hearer -> hearer.appended(lane));
    }

    boolean asleep(int lane, WakeMode mode) {
        return mode == WakeMode.ALWAYS || (mode == WakeMode.ADAPTIVE && !held(lane));
    }

    void asked() {
        tell(null, Wakes.Hearer::asked);
    }

    void published(MemoryWakes by) {
        tell(by, Wakes.Hearer::published);
    }

    void changed() {
        tell(null, Wakes.Hearer::released);
    }

    void released(MemoryWakes by) {
        tell(by, Wakes.Hearer::released);
    }

    private void tell(@Nullable MemoryWakes except, Consumer<Wakes.Hearer> what) {
        if (losing) {
            return;
        }
        listening.stream().filter(node -> node != except).forEach(node -> node.tell(what));
    }
}
