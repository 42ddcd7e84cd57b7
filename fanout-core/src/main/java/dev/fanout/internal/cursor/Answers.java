// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.cursor;

import dev.fanout.CodecException;
import dev.fanout.Event;
import dev.fanout.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a projection said of events that it was handed.
 *
 * @param outcomes of the first so many events, up to the first that is not acknowledged
 * @param whole whether it failed as a whole, so that its outcome says nothing of the event that it stands for
 */
record Answers(List<Outcome> outcomes, boolean whole) {

    /** Checks the answers of a call that returned. */
    static Answers of(List<Event> handed, @Nullable List<Outcome> answered) {
        List<Outcome> outcomes = answered == null ? List.of() : answered;
        for (int i = 0; i < handed.size(); i++) {
            Outcome outcome = i < outcomes.size() ? outcomes.get(i) : null;
            if (outcome == null) {
                return new Answers(with(outcomes.subList(0, i), unanswered(handed.get(i), outcomes.size())), false);
            }
            if (!outcome.acknowledged()) {
                return new Answers(List.copyOf(outcomes.subList(0, i + 1)), false);
            }
        }
        return new Answers(List.copyOf(outcomes.subList(0, handed.size())), false);
    }

    /** Says that the call failed. */
    static Answers failed(Throwable cause) {
        return new Answers(List.of(Outcome.failed(cause)), true);
    }

    /** The same, but for another reason of the refusal. */
    Answers because(Throwable cause) {
        return new Answers(with(outcomes.subList(0, acknowledged()), Outcome.failed(cause)), whole);
    }

    /** How many were acknowledged. */
    int acknowledged() {
        return refusal() == null ? outcomes.size() : outcomes.size() - 1;
    }

    /** What was said of the first event that was not acknowledged, if any. */
    @Nullable
    Outcome refusal() {
        Outcome last = outcomes.isEmpty() ? null : outcomes.get(outcomes.size() - 1);
        return last == null || last.acknowledged() ? null : last;
    }

    /** Whether another attempt can't help: the projection says so, or can't read what is stored. */
    static boolean isHopeless(Outcome refusal) {
        return refusal instanceof Outcome.Park
                || (refusal instanceof Outcome.Failed failed && isUnreadable(failed.cause()));
    }

    private static boolean isUnreadable(@Nullable Throwable cause) {
        for (Throwable one = cause; one != null; one = one.getCause() == one ? null : one.getCause()) {
            if (one instanceof CodecException) {
                return true;
            }
        }
        return false;
    }

    /** Says why, for people. */
    static String why(Outcome refusal) {
        if (refusal instanceof Outcome.Park park) {
            return park.why();
        }
        return refusal instanceof Outcome.Failed failed ? textOf(failed.cause()) : refusal.toString();
    }

    /** An exception whose text can't be had must be parked like any other. */
    private static String textOf(Throwable cause) {
        try {
            return String.valueOf(cause.toString());
        } catch (RuntimeException | StackOverflowError broken) {
            return cause.getClass().getName();
        }
    }

    private static List<Outcome> with(List<Outcome> some, Outcome last) {
        List<Outcome> all = new ArrayList<>(some);
        all.add(last);
        return List.copyOf(all);
    }

    private static Outcome unanswered(Event event, int answers) {
        return Outcome.failed(new IllegalStateException("the projection returned " + answers
                + " outcome(s) and none for event " + event.id() + ": return one outcome for each event, or throw"));
    }
}
