// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import dev.fanout.spi.Cursors.Advance;
import dev.fanout.spi.Cursors.Counts;
import dev.fanout.spi.LogRecord;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/** The statement that writes steps of one child or several, each fenced and compared on its own ({@code advance-many.sql}). */
final class AdvanceManyCall {

    /** What became of a step. */
    enum Verdict {
        WRITTEN,
        FENCED,
        FORGOTTEN
    }

    private final Database database;
    private final List<Advance> steps;

    AdvanceManyCall(Database database, List<Advance> steps) {
        this.database = database;
        this.steps = steps;
    }

    /** Returns what became of each step, in their order. */
    List<Verdict> run(Connection connection, String opening, int answersOfOpening) throws SQLException {
        String sql = database.statements().chain(opening, "advance-many");
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(Parameters.of(statement).add(database.idleTimeout()));
            return verdicts(Answers.of(statement).skip(answersOfOpening).rows());
        }
    }

    /** Reads what became of each step. */
    static List<Verdict> verdicts(ResultSet rows) throws SQLException {
        List<Verdict> verdicts = new ArrayList<>();
        while (rows.next()) {
            Verdict refused = rows.getBoolean(1) ? Verdict.FORGOTTEN : Verdict.FENCED;
            verdicts.add(rows.getBoolean(2) ? Verdict.WRITTEN : refused);
        }
        return verdicts;
    }

    /** Adds the statement's parameters. */
    void bind(Parameters parameters) throws SQLException {
        parameters
                .add(ints(step -> step.attachment().no()))
                .add(texts(step -> step.attachment().epoch()))
                .add(texts(step -> step.lease().resource()))
                .add(longs(step -> step.lease().node()))
                .add(longs(step -> step.lease().token()))
                .add(ints(step -> step.attachment().stream()))
                .add(ints(Advance::partition))
                .add(longs(step -> step.to().step()))
                .add(longs(step -> step.to().position()));
        for (ToLongFunction<Counts> count : List.<ToLongFunction<Counts>>of(
                Counts::applied,
                Counts::gated,
                Counts::skipped,
                Counts::filtered,
                Counts::parked,
                Counts::discarded,
                Counts::lost)) {
            parameters.add(longs(step -> count.applyAsLong(step.to().counts())));
        }
        parameters
                .add(longs(step -> step.from().step()))
                .add(longs(step -> step.from().position()))
                .add(longs(step -> step.last().map(LogRecord::position).orElse(-1L)))
                .add(longs(step -> step.last()
                        .map(record -> EventRows.micros(record.committedAt()))
                        .orElse(0L)))
                .add(texts(step -> step.last()
                        .map(record -> record.event().id().toString())
                        .orElse(null)));
        bindGates(parameters, Advance::gates);
        bindGates(parameters, Advance::passed);
    }

    private void bindGates(Parameters parameters, Function<Advance, Map<Long, Long>> which) throws SQLException {
        int count = steps.stream().mapToInt(step -> which.apply(step).size()).sum();
        int[] numbers = new int[count];
        long[] entities = new long[count];
        long[] versions = new long[count];
        int set = 0;
        for (int i = 0; i < steps.size(); i++) {
            for (Map.Entry<Long, Long> gate : which.apply(steps.get(i)).entrySet()) {
                numbers[set] = i + 1;
                entities[set] = gate.getKey();
                versions[set++] = gate.getValue();
            }
        }
        parameters.add(numbers).add(entities).add(versions);
    }

    private int[] ints(ToIntFunction<Advance> of) {
        return steps.stream().mapToInt(of).toArray();
    }

    private long[] longs(ToLongFunction<Advance> of) {
        return steps.stream().mapToLong(of).toArray();
    }

    private String[] texts(Function<Advance, String> of) {
        return steps.stream().map(of).toArray(String[]::new);
    }
}
