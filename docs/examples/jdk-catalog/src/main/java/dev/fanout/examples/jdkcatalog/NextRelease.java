// SPDX-License-Identifier: Apache-2.0
package dev.fanout.examples.jdkcatalog;

import dev.fanout.Appended;
import dev.fanout.Applied;
import dev.fanout.EntityRef;
import dev.fanout.ParkedEntity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Children that were not there before: a stream that mirrors the first one in partitions of its own, from the beginning; a
 * child that gets everything some seconds late; and one that can't take a certain asset until it is repaired.
 */
final class NextRelease {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int ROUNDS = 3;

    private final Node node;
    private final BrokenTrail broken;
    private final Checks checks;
    private final Report report;

    NextRelease(Node node, BrokenTrail broken, Checks checks, Report report) {
        this.node = node;
        this.broken = broken;
        this.checks = checks;
        this.report = report;
    }

    /** Changes assets in several rounds, one of which is refused at first. */
    void run(List<String> ids, String refused) throws Exception {
        node.start();
        List<Appended> changes = change(ids);
        mirror(changes);
        park(changes, refused);
        requeue(changes, refused);
        delay(changes);
        node.awaitDelivered();
        checks.storesAgree();
    }

    private List<Appended> change(List<String> ids) throws Exception {
        List<Appended> changes = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            changes.addAll(node.assets().changeAll(ids, asset -> asset.resized(asset.size() + 1)));
        }
        report.say("%,d changes, %d of each of %,d assets", changes.size(), ROUNDS, ids.size());
        return changes;
    }

    private void mirror(List<Appended> changes) throws Exception {
        Deliveries deliveries = node.deliveries();
        Progress progress = Progress.of(
                "by way of the child stream", checks.versions(), report.out(), () -> deliveries.of(Node.AUDIT));
        try {
            awaitApplied(Node.AUDIT, changes);
        } finally {
            progress.close();
        }
        checks.trailIsWhole(Node.AUDIT);
    }

    private void park(List<Appended> changes, String refused) throws Exception {
        for (Appended change : changes) {
            boolean isRefused = change.entity().id().equals(refused);
            await(Node.BROKEN, change, isRefused ? Applied.PARKED : Applied.APPLIED);
        }
        for (ParkedEntity parked : node.fanout().children().parked(Node.BROKEN)) {
            report.say(
                    "\"%s\" has parked %s at version %d: %s",
                    Node.BROKEN, parked.entity().id(), parked.version(), parked.cause());
        }
        report.claim("deliveries of the parked asset", 0L, checks.deliveries(Node.BROKEN, refused));
        report.claim(
                "deliveries of the others, of as many changes",
                (long) changes.size() - ROUNDS,
                checks.deliveries(Node.BROKEN));
    }

    private void requeue(List<Appended> changes, String refused) throws Exception {
        broken.repair();
        node.fanout().children().requeue(Node.BROKEN, EntityRef.of(Assets.TYPE, refused));
        // a requeue is a wish: until it is carried out, the asset is still parked, and whoever waits is told so
        node.deliveries().await(Node.BROKEN, changes.size(), LIMIT);
        report.say("repaired, and requeued");
        report.claim(
                "deliveries of the asset that was parked, of as many changes",
                (long) ROUNDS,
                checks.deliveries(Node.BROKEN, refused));
        report.claim(
                "deliveries to \"" + Node.BROKEN + "\", of as many changes",
                (long) changes.size(),
                checks.deliveries(Node.BROKEN));
        checks.trailIsInOrder(Node.BROKEN);
    }

    private void delay(List<Appended> changes) throws Exception {
        awaitApplied(Node.LATER, changes);
        report.claim(
                "deliveries to \"" + Node.LATER + "\", of as many changes",
                (long) changes.size(),
                checks.deliveries(Node.LATER));
        checks.noneEarly(Node.LATER, Node.DELAY);
        checks.trailIsInOrder(Node.LATER);
    }

    private void awaitApplied(String child, List<Appended> all) {
        all.forEach(one -> await(child, one, Applied.APPLIED));
    }

    private void await(String child, Appended one, Applied expected) {
        Applied seen = node.fanout().awaitApplied(child, one, LIMIT);
        if (seen != expected) {
            throw new IllegalStateException(
                    child + " within " + LIMIT + ": " + one.entity() + " is " + seen + ", not " + expected);
        }
    }
}
