// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import dev.fanout.postgres.internal.AdvanceManyCall.Verdict;
import dev.fanout.spi.Appends.Route;
import dev.fanout.spi.Cursors.Advance;
import dev.fanout.spi.Cursors.Aside;
import dev.fanout.spi.Cursors.Blocked;
import dev.fanout.spi.Cursors.Forward;
import dev.fanout.spi.Cursors.Freed;
import dev.fanout.spi.ForgottenException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The statements of a step that does more than move a cursor and gates, sent in one round trip: only those that the step needs.
 *
 * <p>{@code advance-many.sql} fences, compares and writes, as for any step. What is forwarded comes behind it, so that the
 * transaction has its id when outbox ids are drawn. A loss is marked before it: whoever ends an epoch locks the attachment first
 * and the leases second, too.
 */
final class AdvanceCall {

    private final Database database;
    private final Advance step;
    private final AdvanceManyCall cursor;
    private final List<Blocked> blocked;
    private final List<Aside> parked;
    private final List<Freed> freed;
    private final List<Long> unblocked;
    private final List<Forward> forwarded;

    AdvanceCall(Database database, Advance step) {
        this.database = database;
        this.step = step;
        this.cursor = new AdvanceManyCall(database, List.of(step));
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
        addIf(loses(), "mark-rebuild", names);
        names.add("advance-many");
        addIf(!blocked.isEmpty(), "park-entities", names);
        addIf(!parked.isEmpty(), "park-events", names);
        addIf(!forwarded.isEmpty(), "forward", names);
        addIf(!forwarded.isEmpty(), "wake-relay", names);
        addIf(!freed.isEmpty(), "free-events", names);
        addIf(!unblocked.isEmpty(), "free-entities", names);
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
        Verdict verdict = Verdict.FENCED;
        long passedOn = forwarded.size();
        for (String name : names.subList(1, names.size())) {
            answers.skip(1);
            switch (name) {
                case "advance-many" ->
                    verdict = AdvanceManyCall.verdicts(answers.rows()).get(0);
                case "forward" -> passedOn = answers.number();
                default -> {}
            }
        }
        UsualSteps.check(verdict, step);
        if (passedOn < forwarded.size()) {
            throw new ForgottenException("the cursor of child "
                    + step.attachment().child() + ", partition "
                    + step.partition() + " was to pass on " + forwarded.size()
                    + " records, of which the log holds only "
                    + passedOn + ": the others were removed, or their publication was lost; nothing was written");
        }
    }

    private void bind(Connection connection, PreparedStatement statement, List<String> ofOpening) throws SQLException {
        Parameters parameters = Parameters.of(statement);
        for (String parameter : ofOpening) {
            parameters.add(parameter);
        }
        if (loses()) {
            parameters.add(step.attachment().no());
        }
        cursor.bind(parameters);
        bindParked(parameters);
        if (!forwarded.isEmpty()) {
            bindForwarded(parameters);
            parameters.passed(AppendCall.bindWake(statement, parameters.next(), database, connection, true));
        }
        if (!freed.isEmpty()) {
            bindFreed(parameters);
        }
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
}
