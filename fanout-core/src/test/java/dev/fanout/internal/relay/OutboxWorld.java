// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.relay;

import dev.fanout.spi.Frontier;
import dev.fanout.spi.Outbox.Placed;
import dev.fanout.spi.Outbox.Publication;
import dev.fanout.spi.StreamPartition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Appends that draw ids and commit or roll back in any order, beside a relay with a real {@link FrontierTracker}: what
 * {@code docs/models/relay.py} is in Python. Each append locks its entity (which gives its transaction an id), draws an outbox
 * id, and ends.
 */
final class OutboxWorld implements Interleavings.World {

    /** Which safeguard is missing. */
    enum Broken {
        NOTHING,
        /** An outbox id is drawn before the transaction has an id. */
        ID_BEFORE_TRANSACTION,
        /** A range is given up without waiting for anybody. */
        NO_WAIT,
        /** A range is given up by a look that may have left rows of it behind. */
        CUT_OFF_LOOK_GIVES_UP,
        /** The snapshot's xmax, which running transactions may be above, is taken for the next id. */
        XMAX_FOR_NEXT,
        /** The rows below the mark are seen by an earlier snapshot than those above. */
        TWO_SNAPSHOTS
    }

    private enum Phase {
        IDLE,
        LOCKED,
        DRAWN,
        COMMITTED,
        ROLLED_BACK
    }

    private static final StreamPartition AT = new StreamPartition(1, 0);

    private final String entities;
    private final int limit;
    private final int maxRanges;
    private final Broken broken;
    private final Phase[] phases;
    private final long[] transactions;
    private final long[] ids;
    private final List<Long> log = new ArrayList<>();
    private long nextTransaction = 1;
    private long nextId = 1;
    private int newLeaders;
    private FrontierTracker tracker;
    private Frontier stored = Frontier.START;
    private Set<Long> earlier;

    OutboxWorld(String entities, int limit, int maxRanges, int newLeaders, Broken broken) {
        this.entities = entities;
        this.limit = limit;
        this.maxRanges = maxRanges;
        this.newLeaders = newLeaders;
        this.broken = broken;
        this.phases = new Phase[entities.length()];
        Arrays.fill(phases, Phase.IDLE);
        this.transactions = new long[entities.length()];
        this.ids = new long[entities.length()];
        this.tracker = new FrontierTracker(stored, maxRanges);
    }

    @Override
    public String key() {
        return Arrays.toString(phases)
                + Arrays.toString(transactions)
                + Arrays.toString(ids)
                + nextTransaction
                + log
                + tracker
                + stored
                + newLeaders
                + earlier;
    }

    @Override
    public List<Runnable> moves() {
        List<Runnable> moves = new ArrayList<>();
        for (int i = 0; i < phases.length; i++) {
            addMovesOf(i, moves);
        }
        if (broken == Broken.TWO_SNAPSHOTS && earlier == null) {
            moves.add(() -> earlier = waiting());
        } else {
            moves.add(this::look);
        }
        if (newLeaders > 0) {
            moves.add(this::newLeader);
        }
        return moves;
    }

    private void addMovesOf(int i, List<Runnable> moves) {
        switch (phases[i]) {
            case IDLE -> {
                if (!isLocked(entities.charAt(i))) {
                    moves.add(() -> lock(i));
                }
            }
            case LOCKED -> moves.add(() -> draw(i));
            case DRAWN -> {
                if (transactions[i] == 0) {
                    moves.add(() -> transactions[i] = nextTransaction++);
                } else {
                    moves.add(() -> phases[i] = Phase.COMMITTED);
                    moves.add(() -> phases[i] = Phase.ROLLED_BACK);
                }
            }
            default -> {
                // it has ended
            }
        }
    }

    private boolean isLocked(char entity) {
        for (int i = 0; i < phases.length; i++) {
            if (entities.charAt(i) == entity && isOpen(i)) {
                return true;
            }
        }
        return false;
    }

    private boolean isOpen(int i) {
        return phases[i] == Phase.LOCKED || phases[i] == Phase.DRAWN;
    }

    private void lock(int i) {
        phases[i] = Phase.LOCKED;
        if (broken != Broken.ID_BEFORE_TRANSACTION) {
            transactions[i] = nextTransaction++;
        }
    }

    private void draw(int i) {
        phases[i] = Phase.DRAWN;
        ids[i] = nextId++;
    }

    /** Ids that are committed and not published. */
    Set<Long> waiting() {
        Set<Long> waiting = new TreeSet<>();
        for (int i = 0; i < phases.length; i++) {
            if (phases[i] == Phase.COMMITTED) {
                waiting.add(ids[i]);
            }
        }
        log.forEach(waiting::remove);
        return waiting;
    }

    void look() {
        Frontier frontier = tracker.frontier();
        Set<Long> late = earlier == null ? waiting() : earlier;
        List<Placed> placed = new ArrayList<>();
        for (long id : waiting()) {
            boolean asked = id > frontier.mark() || (isMissing(frontier, id) && late.contains(id));
            if (asked && placed.size() < limit) {
                placed.add(new Placed(id, AT, log.size(), Optional.empty()));
                log.add(id);
            }
        }
        long running = broken == Broken.NO_WAIT ? Long.MAX_VALUE : running();
        boolean full = placed.size() >= limit && broken != Broken.CUT_OFF_LOOK_GIVES_UP;
        if (!placed.isEmpty()) {
            stored = frontier;
        }
        tracker.saw(new Publication(placed, running, placed.isEmpty() ? 0 : next()), full);
        earlier = null;
    }

    private long running() {
        long running = nextTransaction;
        for (int i = 0; i < phases.length; i++) {
            if (isOpen(i) && transactions[i] > 0) {
                running = Math.min(running, transactions[i]);
            }
        }
        return running;
    }

    /** The publication's own id, drawn after its snapshot. */
    private long next() {
        return broken == Broken.XMAX_FOR_NEXT ? xmax() : nextTransaction++;
    }

    private long xmax() {
        long highestEnded = 0;
        for (int i = 0; i < phases.length; i++) {
            if (phases[i] == Phase.COMMITTED || phases[i] == Phase.ROLLED_BACK) {
                highestEnded = Math.max(highestEnded, transactions[i]);
            }
        }
        return highestEnded + 1;
    }

    private void newLeader() {
        newLeaders--;
        earlier = null;
        tracker = new FrontierTracker(stored, maxRanges);
    }

    private static boolean isMissing(Frontier frontier, long id) {
        return frontier.missing().stream().anyMatch(range -> range.from() <= id && id <= range.to());
    }

    @Override
    public Optional<String> violation() {
        if (new HashSet<>(log).size() < log.size()) {
            return Optional.of("published twice: " + log);
        }
        if (!isInOrder()) {
            return Optional.of("order broken: " + log);
        }
        Frontier frontier = tracker.frontier();
        return waiting().stream()
                .filter(id -> id <= frontier.mark() && !isMissing(frontier, id))
                .findFirst()
                .map(id -> "stranded below the mark: " + id + ", " + tracker + ", log " + log);
    }

    private boolean isInOrder() {
        for (int i = 0; i < phases.length; i++) {
            for (int j = 0; j < phases.length; j++) {
                boolean sameEntity = entities.charAt(i) == entities.charAt(j);
                int at = log.indexOf(ids[i]);
                int behind = log.indexOf(ids[j]);
                if (sameEntity && ids[i] < ids[j] && behind >= 0 && at > behind) {
                    return false;
                }
            }
        }
        return true;
    }
}
