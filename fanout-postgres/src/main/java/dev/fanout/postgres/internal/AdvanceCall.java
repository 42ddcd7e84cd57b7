// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import dev.fanout.spi.Appends.Route;
import dev.fanout.spi.Cursors.Advance;
import dev.fanout.spi.Cursors.Aside;
import dev.fanout.spi.Cursors.Blocked;
import dev.fanout.spi.Cursors.Counts;
import dev.fanout.spi.Cursors.Cursor;
import dev.fanout.spi.Cursors.Forward;
import dev.fanout.spi.Cursors.Freed;
import dev.fanout.spi.FencedException;
import dev.fanout.spi.ForgottenException;
import dev.fanout.spi.LogRecord;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The statements of one step, sent in one round trip: only those that the step needs, in this order. The cursor's row comes
 * before what is forwarded, so that the transaction has its id when outbox ids are drawn, and what is forwarded before parked
 * events are removed, since it may be among them; the fence comes last.
 */
final class AdvanceCall {

    private final Database database;
    private final Advance step;
    private final boolean gates;
    private final boolean passes;
    private final List<Blocked> blocked;
    private final List<Aside> parked;
    private final List<Freed> freed;
    private final List<Long> unblocked;
    private final List<Forward> forwarded;

    AdvanceCall(Database database, Advance step) {
        this.database = database;
        this.step = step;
        this.gates = !step.gates().isEmpty();
        this.passes = !step.passed().isEmpty();
        this.blocked = step.parking().blocked();
        this.parked = step.parking().parked();
        this.freed = step.parking().freed();
        this.unblocked =
                freed.stream().filter(Freed::unblocked).map(Freed::entityNo).toList();
        this.forwarded = step.forwarded().stream()
                .sorted(Comparator.comparingLong(Forward::position))
                .toList();
    }

    /**
     * Sends everything, and judges the answers, the fence's before all.
     *
     * @param opening a statement to send in front
     * @param ofOpening its parameters
     * @param answersOfOpening how many answers it gives
     */
    void run(Connection connection, String opening, List<String> ofOpening, int answersOfOpening) throws SQLException {
        List<String> names = names(opening);
        String sql = database.statements().chain(names.toArray(String[]::new));
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(connection, statement, ofOpening);
            judge(Answers.of(statement).skip(answersOfOpening - 1), names);
        }
    }

    private List<String> names(String opening) {
        List<String> names = new ArrayList<>();
        names.add(opening);
        addIf(gates, "raise-gates", names);
        addIf(passes, "prune-gates", names);
        names.add("advance-cursor");
        names.add("prune-cursor");
        addIf(!blocked.isEmpty(), "park-entities", names);
        addIf(!parked.isEmpty(), "park-events", names);
        addIf(!forwarded.isEmpty(), "forward", names);
        addIf(!forwarded.isEmpty(), "wake-relay", names);
        addIf(!freed.isEmpty(), "free-events", names);
        addIf(!unblocked.isEmpty(), "free-entities", names);
        addIf(loses(), "mark-rebuild", names);
        names.add("fence-advance");
        return names;
    }

    private boolean loses() {
        return step.to().counts().lost() > step.from().counts().lost();
    }

    private static void addIf(boolean needed, String name, List<String> names) {
        if (needed) {
            names.add(name);
        }
    }

    private void judge(Answers answers, List<String> names) throws SQLException {
        boolean added = false;
        boolean fenced = true;
        long passedOn = forwarded.size();
        for (String name : names.subList(1, names.size())) {
            answers.skip(1);
            switch (name) {
                case "advance-cursor" -> added = answers.any();
                case "forward" -> passedOn = answers.number();
                case "fence-advance" -> fenced = !answers.any();
                default -> {}
            }
        }
        if (fenced) {
            throw new FencedException(step.lease());
        }
        if (!added) {
            throw forgotten(
                    "does not stand at step " + step.from().step() + ", position "
                            + step.from().position()
                            + ", or the log does not hold what was delivered: the database has lost commits, or another process advanced it");
        }
        if (passedOn < forwarded.size()) {
            throw forgotten("was to pass on " + forwarded.size() + " records, of which the log holds only " + passedOn
                    + ": the others were removed, or their publication was lost");
        }
    }

    private ForgottenException forgotten(String what) {
        return new ForgottenException("the cursor of child " + step.attachment().child() + ", partition "
                + step.partition() + " " + what + "; nothing was written");
    }

    private void bind(Connection connection, PreparedStatement statement, List<String> ofOpening) throws SQLException {
        Parameters parameters = Parameters.of(statement);
        for (String parameter : ofOpening) {
            parameters.add(parameter);
        }
        bindGates(parameters);
        bindCursor(parameters);
        bindParked(parameters);
        if (!forwarded.isEmpty()) {
            bindForwarded(parameters);
            parameters.passed(AppendCall.bindWake(statement, parameters.next(), database, connection, true));
        }
        if (!freed.isEmpty()) {
            bindFreed(parameters);
        }
        if (loses()) {
            parameters.add(step.attachment().no());
        }
        parameters
                .add(step.attachment().no())
                .add(step.attachment().epoch())
                .add(step.lease().resource())
                .add(step.lease().node())
                .add(step.lease().token());
    }

    private void bindGates(Parameters parameters) throws SQLException {
        if (gates) {
            parameters.add(step.attachment().no()).add(entities(step.gates())).add(versions(step.gates()));
        }
        if (passes) {
            parameters
                    .add(entities(step.passed()))
                    .add(versions(step.passed()))
                    .add(step.attachment().no());
        }
    }

    private void bindCursor(Parameters parameters) throws SQLException {
        int attachment = step.attachment().no();
        Cursor from = step.from();
        Cursor to = step.to();
        Counts counts = to.counts();
        // advance-cursor
        parameters.add(attachment).add(step.partition()).add(to.step()).add(to.position());
        parameters
                .add(counts.applied())
                .add(counts.gated())
                .add(counts.skipped())
                .add(counts.filtered());
        parameters.add(counts.parked()).add(counts.discarded()).add(counts.lost());
        parameters.add(attachment).add(step.partition()).add(from.step()).add(from.position());
        bindLast(parameters);
        // prune-cursor
        parameters.add(attachment).add(step.partition()).add(from.step());
    }

    private void bindLast(Parameters parameters) throws SQLException {
        Optional<LogRecord> last = step.last();
        long position = last.map(LogRecord::position).orElse(0L);
        parameters
                .add(last.isEmpty())
                .add(step.attachment().stream())
                .add(step.partition())
                .add(position)
                .add(last.map(record -> EventRows.micros(record.committedAt())).orElse(0L))
                .add(last.map(record -> record.event().id()).orElse(null));
        parameters
                .add(step.attachment().stream())
                .add(step.partition())
                .add(position)
                .add(position);
    }

    private void bindParked(Parameters parameters) throws SQLException {
        if (!blocked.isEmpty()) {
            parameters
                    .add(step.attachment().no())
                    .add(step.partition())
                    .add(blocked.stream().mapToLong(Blocked::entityNo).toArray())
                    .add(blocked.stream().mapToLong(Blocked::version).toArray())
                    .add(blocked.stream().map(Blocked::cause).toArray(String[]::new))
                    .add(blocked.stream().mapToInt(Blocked::attempts).toArray());
        }
        if (!parked.isEmpty()) {
            parameters
                    .add(step.attachment().no())
                    .add(step.partition())
                    .add(parked.stream().mapToLong(Aside::entityNo).toArray())
                    .add(parked.stream().mapToLong(Aside::version).toArray())
                    .add(parked.stream().mapToLong(Aside::position).toArray())
                    .add(step.attachment().stream())
                    .add(step.partition());
        }
    }

    private void bindFreed(Parameters parameters) throws SQLException {
        parameters
                .add(freed.stream().mapToLong(Freed::entityNo).toArray())
                .add(freed.stream().mapToLong(Freed::version).toArray())
                .add(step.attachment().no());
        if (!unblocked.isEmpty()) {
            parameters
                    .add(step.attachment().no())
                    .add(unblocked.stream().mapToLong(Long::longValue).toArray());
        }
    }

    private void bindForwarded(Parameters parameters) throws SQLException {
        List<Route> routes = forwarded.stream().map(Forward::route).toList();
        routes.forEach(
                route -> AppendCall.checkLane("child " + step.attachment().child(), route));
        parameters
                .add(step.attachment().stream())
                .add(step.partition())
                .add(step.attachment().no())
                .add(forwarded.stream().mapToLong(Forward::position).toArray())
                .add(forwarded.stream().mapToLong(Forward::entityNo).toArray())
                .add(forwarded.stream().mapToLong(Forward::version).toArray())
                .add(routes.stream().mapToInt(Route::stream).toArray())
                .add(routes.stream().mapToInt(Route::partition).toArray());
    }

    private static long[] entities(Map<Long, Long> gates) {
        return gates.keySet().stream().sorted().mapToLong(Long::longValue).toArray();
    }

    private static long[] versions(Map<Long, Long> gates) {
        return gates.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .mapToLong(Map.Entry::getValue)
                .toArray();
    }
}
