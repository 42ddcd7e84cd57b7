// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * Lets callers share a commit: those that come while another's is under way wait, and the first of them writes what all of them
 * brought. Nobody waits for company: who finds nobody at work writes at once.
 *
 * <p>Two pieces of the same kind never share one, and what shares one is bounded by weight. Safe for use by many threads.
 *
 * @param <P> a piece of work
 */
final class SharedCommits<P> {

    private static final int MOST_WEIGHT = 4096;

    /** A piece that waits: true if its thread is to write next, false if another has written it. */
    private final class Waiting {
        private final P piece;
        private final CompletableFuture<Boolean> leads = new CompletableFuture<>();

        Waiting(P piece) {
            this.piece = piece;
        }
    }

    private final Function<P, String> kind;
    private final ToIntFunction<P> weight;
    private final Consumer<List<P>> writing;
    private final Set<Waiting> waiting = new LinkedHashSet<>();
    private boolean atWork;

    /**
     * Makes them.
     *
     * @param kind what two pieces that share a commit must not have in common
     * @param weight what a piece weighs
     * @param writing writes pieces in one commit, and leaves with each what became of it; never throws
     */
    SharedCommits(Function<P, String> kind, ToIntFunction<P> weight, Consumer<List<P>> writing) {
        this.kind = kind;
        this.weight = weight;
        this.writing = writing;
    }

    /** Returns once the piece has been written, by this thread or another. */
    void write(P piece) {
        Waiting mine = new Waiting(piece);
        if (isFirst(mine) || mine.leads.join()) {
            lead();
        }
    }

    private synchronized boolean isFirst(Waiting mine) {
        waiting.add(mine);
        boolean first = !atWork;
        atWork = true;
        return first;
    }

    /** The leader's own piece is the first of those that wait. */
    private void lead() {
        List<Waiting> group = take();
        try {
            writing.accept(group.stream().map(one -> one.piece).toList());
        } finally {
            handOver();
            group.subList(1, group.size()).forEach(written -> written.leads.complete(false));
        }
    }

    private synchronized List<Waiting> take() {
        List<Waiting> group = new ArrayList<>();
        Set<String> kinds = new HashSet<>();
        int sum = 0;
        for (Iterator<Waiting> each = waiting.iterator(); each.hasNext(); ) {
            Waiting one = each.next();
            sum += weight.applyAsInt(one.piece);
            if (sum > MOST_WEIGHT && !group.isEmpty()) {
                break;
            }
            if (kinds.add(kind.apply(one.piece))) {
                group.add(one);
                each.remove();
            }
        }
        return group;
    }

    private synchronized void handOver() {
        atWork = !waiting.isEmpty();
        if (atWork) {
            waiting.iterator().next().leads.complete(true);
        }
    }
}
