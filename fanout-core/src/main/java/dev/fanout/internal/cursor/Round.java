// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.cursor;

import dev.fanout.Outcome;
import dev.fanout.internal.cursor.Delivery.Handed;
import dev.fanout.internal.cursor.SlabPlan.Due;
import dev.fanout.spi.Platform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at a slab: all of it at once and, where something is refused, the rest entity by entity, so that one broken
 * event holds up no other. Where nothing at all succeeds for a while it stops trying: the store is probably down.
 *
 * @param <T> the transaction handle of the store
 */
final class Round<T> {

    /** How long to try one entity after another while none succeeds. */
    private static final long PROBING = Duration.ofSeconds(1).toNanos();

    private final SlabPlan plan;
    private final Delivery<T> delivery;
    private final Steps steps;
    private final Held held;
    private final Health health;
    private final Platform platform;
    private final Map<Long, Due> broken = new HashMap<>();

    private @Nullable Outcome refusal;
    private boolean succeeded;

    Round(SlabPlan plan, Delivery<T> delivery, Steps steps, Held held, Health health, Platform platform) {
        this.plan = plan;
        this.delivery = delivery;
        this.steps = steps;
        this.held = held;
        this.health = health;
        this.platform = platform;
    }

    /** What was refused last, if anything was. */
    @Nullable
    Outcome refusal() {
        return refusal;
    }

    /** Whether anything was acknowledged. */
    boolean hasSucceeded() {
        return succeeded;
    }

    /** The pause that the projection asked for, for the whole partition. */
    Outcome.@Nullable Retry retry() {
        return refusal instanceof Outcome.Retry retry ? retry : null;
    }

    /** Tries all that is due. */
    void run() throws Exception {
        if (plan.due().isEmpty()) {
            return;
        }
        long begun = platform.nanoTime();
        hand(plan.due());
        if (refusal == null || retry() != null) {
            return;
        }
        for (List<Due> entity : others()) {
            boolean hopeless = !succeeded && platform.nanoTime() - begun > PROBING;
            if (hopeless || retry() != null) {
                return;
            }
            hand(entity);
        }
    }

    /** In a different order each time, so that a probe that stops early meets all of them in the end. */
    private List<List<Due>> others() {
        List<Due> open = plan.due().stream()
                .filter(one -> !plan.isSettled(one) && isBeforeBroken(one))
                .toList();
        List<List<Due>> entities = new ArrayList<>(SlabPlan.byEntity(open));
        if (entities.size() > 1) {
            Collections.rotate(entities, Math.floorMod((int) platform.random(), entities.size()));
        }
        return entities;
    }

    /** What comes before an entity's broken event was good, and may have been rolled back with it. */
    private boolean isBeforeBroken(Due one) {
        Due known = broken.get(one.entityNo());
        return known == null || one.index() < known.index();
    }

    private void hand(List<Due> events) throws Exception {
        for (Handed group : delivery.hand(plan, events, steps)) {
            judge(group);
        }
    }

    private void judge(Handed group) throws Exception {
        Answers answers = group.answers();
        List<Due> events = group.events();
        events.stream().filter(plan::isSettled).forEach(this::flows);
        Outcome refused = answers.refusal();
        if (refused == null) {
            return;
        }
        refusal = refused;
        boolean oneEntity = events.stream().map(Due::entityNo).distinct().count() == 1;
        if (refused instanceof Outcome.Retry || (answers.whole() && !oneEntity)) {
            return;
        }
        int at = answers.whole() ? 0 : answers.acknowledged();
        Due failed = events.get(at);
        broken.put(failed.entityNo(), failed);
        held.failed(failed.record(), refused, platform.nanoTime());
        if (oneEntity && at > 0 && !plan.isSettled(events.get(0))) {
            // what was good of it went with the transaction of what was not
            hand(events.subList(0, at));
        }
    }

    private void flows(Due one) {
        succeeded = true;
        health.succeeded();
        held.succeeded(one.entityNo());
    }
}
