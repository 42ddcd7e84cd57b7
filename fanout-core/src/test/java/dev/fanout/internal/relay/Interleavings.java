// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.relay;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Walks every interleaving of a small world that holds a real, mutable class. A state is reached by playing its moves
 * again from the start, so nothing has to be copied; two states with the same key are one.
 */
final class Interleavings {

    /** What is walked. */
    interface World {

        /** All that decides what may happen next. */
        String key();

        /** What may happen next. */
        List<Runnable> moves();

        /** What is wrong here, if anything. */
        Optional<String> violation();
    }

    /** What a walk found. */
    record Found(Optional<String> violation, int states) {}

    private record Path(Path before, int move) {

        static final Path START = new Path(null, -1);

        List<Integer> moves() {
            List<Integer> moves = new ArrayList<>();
            for (Path at = this; at.before != null; at = at.before) {
                moves.add(0, at.move);
            }
            return moves;
        }
    }

    private Interleavings() {}

    static Found walk(Supplier<World> start) {
        Set<String> seen = new HashSet<>();
        Deque<Path> todo = new ArrayDeque<>(List.of(Path.START));
        while (!todo.isEmpty()) {
            Path path = todo.pop();
            World world = replay(start, path);
            if (world.violation().isPresent()) {
                return new Found(world.violation(), seen.size());
            }
            if (seen.add(world.key())) {
                int moves = world.moves().size();
                for (int move = 0; move < moves; move++) {
                    todo.push(new Path(path, move));
                }
            }
        }
        return new Found(Optional.empty(), seen.size());
    }

    private static World replay(Supplier<World> start, Path path) {
        World world = start.get();
        path.moves().forEach(move -> world.moves().get(move).run());
        return world;
    }
}
