// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.cursor;

import dev.fanout.FanoutListener;
import dev.fanout.Outcome;
import dev.fanout.internal.await.Waits;
import dev.fanout.internal.cursor.Held.Poison;
import dev.fanout.spi.Cursors.Advance;
import dev.fanout.spi.Cursors.Counts;
import dev.fanout.spi.Layout.Attachment;
import dev.fanout.spi.LogRecord;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who hears of what becomes of a child's records in a partition: the listener of all, the log of changes, and whoever waits
 * for an event.
 */
final class Reports {

    private static final Logger LOG = LoggerFactory.getLogger(CursorWorker.class);

    private final String child;
    private final int partition;
    private final FanoutListener listener;
    private final Waits waits;

    private int failures;

    Reports(Attachment attachment, int partition, FanoutListener listener, Waits waits) {
        this.child = attachment.child();
        this.partition = partition;
        this.listener = listener;
        this.waits = waits;
    }

    /** How often it failed since all went well. */
    int failures() {
        return failures;
    }

    /** A step is written. */
    void written(Advance step, List<LogRecord> acknowledged) {
        waits.applied(child, acknowledged.stream().map(LogRecord::event).toList());
        Counts now = step.to().counts().minus(step.from().counts());
        listener.delivered(child, partition, now.applied(), now.gated(), now.skipped(), now.filtered());
        if (now.lost() > 0) {
            LOG.warn(
                    "child={} partition={} lost={} records had been removed before the child got them;"
                            + " it is marked as in need of a rebuild",
                    child,
                    partition,
                    now.lost());
            listener.lost(child, partition, now.lost());
        }
    }

    /** An attempt failed, and the next comes after a pause. The cause's own text may fail, too. */
    void failed(Outcome refusal, long position, Duration pause) {
        failures++;
        if (failures == 1) {
            LOG.warn(
                    "child={} partition={} position={} delivery failed and will be tried again: {}",
                    child,
                    partition,
                    position,
                    Answers.why(refusal));
        }
        Throwable cause = refusal instanceof Outcome.Failed failed ? failed.cause() : null;
        listener.failed(child, partition, failures, cause, pause);
    }

    /** A slab was too much to read. */
    void unreadable(long position, int records, Throwable cause) {
        LOG.warn(
                "child={} partition={} position={}: a slab can't be read, reading less records={}",
                child,
                partition,
                position,
                records,
                cause);
    }

    /** Nothing fails any more. */
    void flows() {
        if (failures > 0) {
            LOG.warn("child={} partition={} delivers again after attempts={}", child, partition, failures);
            failures = 0;
        }
    }

    /** Entities are set aside, durably. */
    void parked(List<Poison> parked) {
        for (Poison one : parked) {
            LogRecord record = one.record();
            String why = Answers.why(one.refusal());
            LOG.warn(
                    "child={} partition={} parked {} at version={} after attempts={}: {}",
                    child,
                    partition,
                    record.event().entity(),
                    record.event().version(),
                    one.attempts(),
                    why);
            listener.parked(child, partition, record.event(), why);
            waits.parked(child, record.event().entity());
        }
    }
}
