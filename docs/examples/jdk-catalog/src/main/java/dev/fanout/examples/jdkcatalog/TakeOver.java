// SPDX-License-Identifier: Apache-2.0
package dev.fanout.examples.jdkcatalog;

import dev.fanout.Appended;
import dev.fanout.Applied;
import dev.fanout.testkit.ChildJvm;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Another JVM owns all the work, and is killed between the effects of a batch and its acknowledgement. The effect in
 * PostgreSQL must be gone with it, and come once; the effect in the index is on disk, and must survive being sent again.
 */
final class TakeOver {

    static final String PACKAGE = "taken.over";

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int CURSORS = 2 * Node.PARTITIONS;

    /** Besides the cursors, the relay and the removal of old records. */
    private static final int RESOURCES = CURSORS + 2;

    private final Node here;
    private final Checks checks;
    private final Report report;

    TakeOver(Node here, Checks checks, Report report) {
        this.here = here;
        this.checks = checks;
        this.report = report;
    }

    /** Runs it with this node appending only, until the other is dead. */
    void run(Workspace workspace, List<String> before, List<String> inFlight) throws Exception {
        try (ChildJvm other = ChildJvm.running(OtherJvm.class)
                .options("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
                .arguments(workspace.url(), workspace.user(), workspace.index().toString())
                .start()) {
            other.awaitLine("owns " + RESOURCES, LIMIT);
            report.say("process %d owns the relay and all %d cursors", other.pid(), CURSORS);
            letItWork(before);
            List<Appended> batch = holdInFlight(other, inFlight);
            kill(other, inFlight, batch);
            takeOver(batch);
        }
        report.claim("assets of the batch that \"packages\" has moved", (long) inFlight.size(), moved(inFlight));
    }

    private void letItWork(List<String> ids) throws Exception {
        List<Appended> work = here.assets().changeAll(ids, asset -> asset.resized(asset.size() + 1));
        awaitApplied(work);
        report.say("it has applied a batch of %,d changes", work.size());
        checks.storesAgree();
    }

    private List<Appended> holdInFlight(ChildJvm other, List<String> ids) throws Exception {
        other.send("hold");
        other.awaitLine("holding", LIMIT);
        List<Appended> batch = here.assets().changeAll(ids, asset -> asset.movedTo(PACKAGE));
        String signal = other.awaitLine("in flight: .+", LIMIT).group();
        report.say("a batch of %,d changes is committed; from within apply it says \"%s\"", batch.size(), signal);
        return batch;
    }

    private void kill(ChildJvm other, List<String> ids, List<Appended> batch) throws Exception {
        report.claim("assets of the batch that \"packages\" has moved, uncommitted", 0L, moved(ids));
        other.kill();
        report.claim("the other JVM after SIGKILL", "gone", other.isAlive() ? "alive" : "gone");
        Map<String, Long> versions =
                batch.stream().collect(Collectors.toMap(one -> one.entity().id(), Appended::version));
        long written = checks.documents(versions);
        report.claim("its unacknowledged work in the index", "on disk", written > 0 ? "on disk" : "gone");
        report.say("%,d documents will come again", written);
    }

    private void takeOver(List<Appended> batch) {
        long killed = System.nanoTime();
        here.start();
        awaitApplied(batch);
        double seconds = (System.nanoTime() - killed) / 1e9;
        report.say(
                "taken over here: %.1f s from the kill to the last of the batch, %d s of it the dead JVM's lease",
                seconds, Node.LEASE.toSeconds());
    }

    private long moved(List<String> ids) throws Exception {
        return checks.members(ids, PACKAGE);
    }

    private void awaitApplied(List<Appended> all) {
        for (Appended one : all) {
            await(Node.SEARCH, one);
            await(Node.PACKAGES, one);
        }
    }

    private void await(String child, Appended one) {
        Applied seen = here.fanout().awaitApplied(child, one, LIMIT);
        if (seen != Applied.APPLIED) {
            throw new IllegalStateException(child + " has not applied " + one.entity() + " within " + LIMIT);
        }
    }
}
