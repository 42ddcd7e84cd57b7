// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal;

import dev.fanout.ChildSpec;
import dev.fanout.Children;
import dev.fanout.EntityRef;
import dev.fanout.ParkedEntity;
import dev.fanout.UnknownChildException;
import dev.fanout.spi.Attachments;
import dev.fanout.spi.Attachments.Stored;
import dev.fanout.spi.Layout;
import dev.fanout.spi.Layout.Attachment;
import dev.fanout.spi.Parked.Wish;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The children of one engine, as the store has them.
 *
 * @param <T> the transaction handle of the store
 */
public final class StoredChildren<T> implements Children<T> {

    private static final int LISTED = 1_000;

    private final Engine<T> engine;

    /**
     * Makes the children of an engine.
     *
     * @param engine the engine
     */
    public StoredChildren(Engine<T> engine) {
        this.engine = engine;
    }

    @Override
    public boolean attach(String child) {
        return attach(engine.roster()
                .find(child)
                .orElseThrow(() -> new UnknownChildException(
                        child,
                        engine.roster().all().stream().map(ChildSpec::name).toList(),
                        "in this process, whose code it needs: declare it, or attach a ChildSpec")));
    }

    @Override
    public boolean attach(ChildSpec<T> child) {
        EngineBuilder.checkComplete(Objects.requireNonNull(child, "child"));
        return engine.attach(child);
    }

    @Override
    public boolean detach(String child) {
        stored(child);
        boolean changed = attachments().detach(child);
        engine.changed();
        return changed;
    }

    @Override
    public boolean pause(String child) {
        return pause(child, true);
    }

    @Override
    public boolean resume(String child) {
        return pause(child, false);
    }

    private boolean pause(String child, boolean paused) {
        stored(child);
        boolean changed = attachments().pause(child, paused);
        engine.changed();
        return changed;
    }

    @Override
    public List<ParkedEntity> parked(String child) {
        return parked(child, LISTED);
    }

    @Override
    public List<ParkedEntity> parked(String child, int limit) {
        return engine.store().parked().list(attached(child), limit);
    }

    @Override
    public long requeue(String child) {
        return ask(child, Optional.empty(), Wish.REQUEUE);
    }

    @Override
    public boolean requeue(String child, EntityRef entity) {
        return ask(child, Optional.of(entity), Wish.REQUEUE) > 0;
    }

    @Override
    public boolean discard(String child, EntityRef entity) {
        return ask(child, Optional.of(entity), Wish.DISCARD) > 0;
    }

    private long ask(String child, Optional<EntityRef> entity, Wish wish) {
        long entities = engine.store().parked().request(attached(child), entity, wish);
        engine.changed();
        return entities;
    }

    @Override
    public List<Child> list() {
        Map<Integer, String> streams = engine.requireOpen().leases().survey().layout().streams().stream()
                .collect(Collectors.toMap(Layout.Stream::no, Layout.Stream::name));
        return attachments().all().stream()
                .map(stored -> child(stored, streams))
                .toList();
    }

    private Child child(Stored stored, Map<Integer, String> streams) {
        Attachment attachment = stored.attachment();
        return new Child(
                attachment.child(),
                streams.getOrDefault(attachment.stream(), ""),
                attachment.epoch(),
                State.valueOf(stored.state().name()),
                attachment.delay(),
                engine.roster().find(attachment.child()).isPresent(),
                stored.needsRebuild());
    }

    private Attachments attachments() {
        return engine.requireOpen().attachments();
    }

    private Stored stored(String child) {
        List<Stored> all = attachments().all();
        return all.stream()
                .filter(stored -> stored.attachment().child().equals(child))
                .findFirst()
                .orElseThrow(() -> unknown(child, all, "in the store: check the name"));
    }

    private Attachment attached(String child) {
        Stored stored = stored(child);
        if (stored.state() == Attachments.State.DETACHED) {
            throw unknown(child, attachments().all(), "attached: what it had set aside went when it was detached");
        }
        return stored.attachment();
    }

    private static UnknownChildException unknown(String child, List<Stored> all, String remedy) {
        return new UnknownChildException(
                child, all.stream().map(stored -> stored.attachment().child()).toList(), remedy);
    }
}
