// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.relay;

import dev.fanout.spi.Frontier;
import dev.fanout.spi.Frontier.Range;
import dev.fanout.spi.Outbox.Placed;
import dev.fanout.spi.Outbox.Publication;
import java.util.ArrayList;
import java.util.List;

/**
 * Knows which outbox ids may still appear below the mark.
 *
 * <p>Ids are drawn in order but commit in any order, so a look that publishes id 9 may have passed id 7 by. The tracker
 * keeps such gaps as ranges, and each look reads them again. When is a gap dead? Whoever drew 7 had its transaction id
 * before, and the look that published 9 drew its own transaction id ({@code next}) after it had seen 9, hence after 7 was
 * drawn: the gap's owner is below {@code next}. Once a look's snapshot shows all of those ended ({@code running >= since})
 * and still shows no row, none will come: the transaction rolled back.
 *
 * <p>A range MUST be given up only by the snapshot that shows it empty: a batch that was cut off by its limit may have
 * left visible rows of the range behind (5,000 rows of one transaction, 4,096 published, the rest given up). Checked over
 * every interleaving by {@code docs/models/relay.py}, whose {@code read} this class is.
 */
final class FrontierTracker {

    /** More ranges than this are merged with their neighbours: a wider range only costs a wider look. */
    static final int MAX_RANGES = 1_000;

    /** The transactions of a stored range are unknown: it waits for those of the first publication after the load. */
    private static final long UNKNOWN = -1;

    /** Ids that may still appear, with the lowest transaction id that can't own one of them. */
    private record Gap(long from, long to, long since) {}

    private final int maxRanges;
    private long mark;
    private List<Gap> gaps = new ArrayList<>();

    FrontierTracker(Frontier stored) {
        this(stored, MAX_RANGES);
    }

    FrontierTracker(Frontier stored, int maxRanges) {
        this.maxRanges = maxRanges;
        mark = stored.mark();
        for (Range range : stored.missing()) {
            gaps.add(new Gap(range.from(), range.to(), UNKNOWN));
        }
    }

    Frontier frontier() {
        return new Frontier(
                mark, gaps.stream().map(gap -> new Range(gap.from, gap.to)).toList());
    }

    /** Takes in what one look published, by ascending id; {@code full} if the batch reached its limit. */
    void saw(Publication look, boolean full) {
        List<Placed> placed = look.placed();
        List<Gap> open = new ArrayList<>(gaps);
        if (!placed.isEmpty()) {
            long top = placed.get(placed.size() - 1).id();
            if (top > mark) {
                open.add(new Gap(mark + 1, top, UNKNOWN));
                mark = top;
            }
            open = without(open, placed);
        }
        long shown = full ? placed.get(placed.size() - 1).id() : Long.MAX_VALUE;
        gaps = merged(stillOpen(open, look, shown));
    }

    private static List<Gap> stillOpen(List<Gap> open, Publication look, long shown) {
        List<Gap> still = new ArrayList<>(open.size());
        for (Gap gap : open) {
            long since = gap.since == UNKNOWN && !look.placed().isEmpty() ? look.next() : gap.since;
            boolean ended = since != UNKNOWN && since <= look.running();
            if (!ended || gap.to > shown) {
                still.add(new Gap(gap.from, gap.to, since));
            }
        }
        return still;
    }

    /** Cuts published ids out of ranges; both are ascending, so one pass is enough. */
    private static List<Gap> without(List<Gap> open, List<Placed> placed) {
        List<Gap> rest = new ArrayList<>(open.size());
        int next = 0;
        for (Gap gap : open) {
            long from = gap.from;
            while (next < placed.size() && placed.get(next).id() < from) {
                next++;
            }
            while (next < placed.size() && placed.get(next).id() <= gap.to) {
                long id = placed.get(next++).id();
                if (id > from) {
                    rest.add(new Gap(from, id - 1, gap.since));
                }
                from = id + 1;
            }
            if (from <= gap.to) {
                rest.add(new Gap(from, gap.to, gap.since));
            }
        }
        return rest;
    }

    private List<Gap> merged(List<Gap> gaps) {
        List<Gap> fewer = gaps;
        while (fewer.size() > maxRanges) {
            List<Gap> half = new ArrayList<>(fewer.size() / 2 + 1);
            for (int i = 0; i < fewer.size(); i += 2) {
                Gap left = fewer.get(i);
                Gap right = fewer.get(Math.min(i + 1, fewer.size() - 1));
                half.add(new Gap(left.from, right.to, Math.max(left.since, right.since)));
            }
            fewer = half;
        }
        return fewer;
    }

    /** Returns the mark and the ranges with what each waits for, for people. */
    @Override
    public String toString() {
        return "mark " + mark + ", may still appear " + gaps;
    }
}
