// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import dev.fanout.postgres.SqlFailedException;
import dev.fanout.postgres.internal.AdvanceManyCall.Verdict;
import dev.fanout.spi.Cursors.Advance;
import dev.fanout.spi.FencedException;
import dev.fanout.spi.ForgottenException;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes steps that move nothing but a cursor and gates, in one round trip, those of several children in one commit
 * ({@link SharedCommits}). Each is fenced and compared on its own; what refuses or fails one takes no other with it. A step
 * with many gates goes alone, beside the others: it would make them wait for it.
 */
final class UsualSteps {

    private static final int MANY_GATES = 512;

    private final Database database;
    private final OwnedSteps owned;
    private final SharedCommits<Written> shared;

    UsualSteps(Database database) {
        this.database = database;
        this.owned = new OwnedSteps(database.sessions());
        this.shared = new SharedCommits<>(
                piece -> piece.step.lease().resource(), piece -> 1 + gates(piece.step), this::writeEach);
    }

    /** Whether a step is a usual one. */
    static boolean isUsual(Advance step) {
        return step.parking().isEmpty()
                && step.forwarded().isEmpty()
                && step.to().counts().lost() <= step.from().counts().lost();
    }

    void write(Advance step) {
        Written piece = new Written(step);
        if (gates(step) > MANY_GATES) {
            writeEach(List.of(piece));
        } else {
            shared.write(piece);
        }
        piece.report();
    }

    private static int gates(Advance step) {
        return step.gates().size() + step.passed().size();
    }

    private void writeEach(List<Written> pieces) {
        try {
            writeTogether(pieces);
        } catch (SqlFailedException failure) {
            // nothing of it was written, and whose fault it was is not known
            if (pieces.size() == 1) {
                pieces.get(0).failure = failure;
            } else {
                pieces.forEach(piece -> writeEach(List.of(piece)));
            }
        } catch (RuntimeException | Error failure) {
            pieces.forEach(piece -> piece.failure = failure);
        }
    }

    private void writeTogether(List<Written> pieces) {
        List<Written> ordered = pieces.stream()
                .sorted(Comparator.comparing(piece -> piece.step.lease().resource()))
                .toList();
        AdvanceManyCall call = new AdvanceManyCall(
                database, ordered.stream().map(piece -> piece.step).toList());
        List<Verdict> verdicts =
                owned.run("advancing " + names(ordered), ordered.get(0).step.lease(), call::run);
        for (int i = 0; i < ordered.size(); i++) {
            ordered.get(i).verdict = verdicts.get(i);
        }
    }

    private static String names(List<Written> pieces) {
        String first = pieces.get(0).step.attachment().child();
        return pieces.size() == 1 ? first : first + " and " + (pieces.size() - 1) + " more";
    }

    /** A step, and what became of it: set by one thread before it tells the one that reads. */
    private static final class Written {
        private final Advance step;
        private @Nullable Verdict verdict;
        private @Nullable Throwable failure;

        Written(Advance step) {
            this.step = step;
        }

        void report() {
            if (failure instanceof Error error) {
                throw error;
            }
            if (failure instanceof RuntimeException thrown) {
                throw thrown;
            }
            check(verdict, step);
        }
    }

    /** Throws unless the step was written. */
    static void check(@Nullable Verdict verdict, Advance step) {
        if (verdict == Verdict.FENCED) {
            throw new FencedException(step.lease());
        }
        if (verdict != Verdict.WRITTEN) {
            throw forgotten(step);
        }
    }

    private static ForgottenException forgotten(Advance step) {
        return new ForgottenException("the cursor of child " + step.attachment().child() + ", partition "
                + step.partition() + " does not stand at step " + step.from().step() + ", position "
                + step.from().position()
                + ", or the log does not hold what was delivered: the database has lost commits, or another process advanced it;"
                + " nothing was written");
    }
}
