// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.cursor;

import dev.fanout.spi.Cursors.Advance;
import dev.fanout.spi.Cursors.Blocked;
import dev.fanout.spi.Cursors.Parking;
import dev.fanout.spi.LogRecord;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * The steps of one slab.
 *
 * @param <T> the transaction handle of the store
 */
final class SlabSteps<T> implements Steps {

    private final SlabPlan plan;
    private final Ledger<T> ledger;
    private final Drive<T> drive;
    private final BiConsumer<Advance, List<LogRecord>> arrived;

    /**
     * Makes the steps.
     *
     * @param plan what is to be done, and has been
     * @param ledger where the cursor stands
     * @param drive what the child drives
     * @param arrived hears of each step written and of the records that it acknowledged
     */
    SlabSteps(SlabPlan plan, Ledger<T> ledger, Drive<T> drive, BiConsumer<Advance, List<LogRecord>> arrived) {
        this.plan = plan;
        this.ledger = ledger;
        this.drive = drive;
        this.arrived = arrived;
    }

    @Override
    public Advance next() {
        return step(List.of());
    }

    /** Makes the step that writes what is settled by now, and sets entities aside. */
    Advance step(List<Blocked> blocked) {
        long from = ledger.at().position();
        long to = Math.max(from, plan.to());
        Parking parking = new Parking(blocked, plan.aside(), List.of());
        return ledger.step(
                to, plan.counts(from), plan.gates(), parking, drive.forwarded(plan.acknowledged()), plan.last());
    }

    @Override
    public void written(Advance step) {
        List<LogRecord> acknowledged = plan.acknowledged();
        plan.wrote();
        ledger.written(step);
        arrived.accept(step, acknowledged);
    }
}
