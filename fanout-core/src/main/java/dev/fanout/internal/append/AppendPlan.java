// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.append;

import dev.fanout.Append;
import dev.fanout.AppendRefusedException;
import dev.fanout.Appended;
import dev.fanout.Codec;
import dev.fanout.CodecException;
import dev.fanout.internal.json.Storable;
import dev.fanout.spi.Appends.EntityAppend;
import dev.fanout.spi.Appends.NewEvent;
import dev.fanout.spi.Appends.Result;
import dev.fanout.spi.Appends.Route;
import dev.fanout.spi.Platform;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * A batch of appends, checked, encoded, routed and put in lock order; and the way back from the store's results to
 * what the caller asked for. All refusals happen here, before the store is called, so that the host's transaction stays
 * usable.
 */
public final class AppendPlan {

    private final List<EntityAppend> inLockOrder;
    private final List<Set<String>> streams;
    private final List<Integer> callerIndex;
    private final Routes routes;

    private AppendPlan(
            List<EntityAppend> inLockOrder, List<Set<String>> streams, List<Integer> callerIndex, Routes routes) {
        this.inLockOrder = inLockOrder;
        this.streams = streams;
        this.callerIndex = callerIndex;
        this.routes = routes;
    }

    /**
     * Plans a batch.
     *
     * @param batch what the caller asks for
     * @param routes where events go
     * @param codec what encodes and checks documents
     * @param payloadBytes the largest document, and the largest payload with its headers
     * @param platform where event ids come from
     * @return the plan
     * @throws AppendRefusedException if anything in the batch can't be appended
     */
    public static AppendPlan of(List<Append> batch, Routes routes, Codec codec, int payloadBytes, Platform platform) {
        if (batch.isEmpty()) {
            throw new AppendRefusedException("an empty batch was appended; hand in at least one append");
        }
        Documents documents = new Documents(codec, payloadBytes);
        List<EntityAppend> resolved = new ArrayList<>(batch.size());
        List<Set<String>> streams = new ArrayList<>(batch.size());
        for (Append append : batch) {
            refuseWithoutEvent(append);
            Routes.Target target = routes.of(append);
            resolved.add(resolve(append, target, documents, platform));
            streams.add(target.names());
        }
        if (batch.size() == 1) {
            return new AppendPlan(resolved, streams, List.of(0), routes);
        }
        List<Integer> order = IntStream.range(0, batch.size())
                .boxed()
                .sorted(Comparator.comparing((Integer i) -> resolved.get(i).entity()))
                .toList();
        return new AppendPlan(
                order.stream().map(resolved::get).toList(),
                order.stream().map(streams::get).toList(),
                order,
                routes);
    }

    /**
     * Returns what the store is told to write.
     *
     * @return the appends, sorted by entity; those to one entity in the caller's order
     */
    public List<EntityAppend> inLockOrder() {
        return inLockOrder;
    }

    /**
     * Says in the caller's words, and order, what was written.
     *
     * @param results the store's results, in lock order
     * @return one for each append of the batch
     */
    public List<Appended> appended(List<Result> results) {
        Appended[] appended = new Appended[results.size()];
        for (int i = 0; i < appended.length; i++) {
            appended[callerIndex.get(i)] = appended(inLockOrder.get(i), streams.get(i), results.get(i));
        }
        return List.of(appended);
    }

    private Appended appended(EntityAppend append, Set<String> streams, Result result) {
        if (result instanceof Result.Repeated repeated) {
            return new Appended(append.entity(), repeated.events(), routes.names(repeated.streams()), true);
        }
        long version = ((Result.Written) result).version() - append.events().size();
        List<Appended.Id> ids = new ArrayList<>(append.events().size());
        for (NewEvent event : append.events()) {
            ids.add(new Appended.Id(event.id(), ++version));
        }
        return new Appended(append.entity(), ids, streams, false);
    }

    private static void refuseWithoutEvent(Append append) {
        if (append.events().isEmpty()) {
            throw new AppendRefusedException(
                    append + " has no event: add one with event(..), or a tombstone with deleted()");
        }
    }

    private static EntityAppend resolve(Append append, Routes.Target target, Documents documents, Platform platform) {
        List<Route> where = target.routes(append.entity());
        long headers = NewEvent.size(append.headers());
        List<NewEvent> events = new ArrayList<>(append.events().size());
        for (Append.NewEvent event : append.events()) {
            String payload = documents.encode(event.payload(), "payload of " + event.type(), headers);
            UUID id = randomId(platform);
            events.add(new NewEvent(id, event.type(), payload, append.headers(), event.deleted(), where));
        }
        Optional<String> state =
                append.state().map(content -> documents.encode(content, "state of " + append.entity(), 0));
        return new EntityAppend(
                append.entity(), append.expecting(), append.sourceVersion(), state, events, append.key());
    }

    /** A random UUID (RFC 9562, version 4) from the platform's randomness. */
    private static UUID randomId(Platform platform) {
        long high = (platform.random() & 0xffffffffffff0fffL) | 0x4000L;
        long low = (platform.random() & 0x3fffffffffffffffL) | 0x8000000000000000L;
        return new UUID(high, low);
    }

    /** Encodes documents, and refuses those that can't be stored. Bytes are those that a reader will get. */
    private record Documents(Codec codec, int limit) {

        String encode(Append.Content content, String what, long headers) {
            try {
                String json = Storable.asPrinted(content.encode(codec), limit);
                refuseOverLimit(json, what, headers);
                return json;
            } catch (CodecException refusal) {
                throw new AppendRefusedException(what + " can't be stored as JSON: " + refusal.getMessage(), refusal);
            }
        }

        private void refuseOverLimit(String json, String what, long headers) {
            long bytes = Utf8.length(json) + headers;
            if (bytes > limit) {
                throw new AppendRefusedException(what + " has " + bytes + " bytes"
                        + (json.length() > limit ? " or more" : "")
                        + (headers > 0 ? ", " + headers + " of them headers" : "") + ", over the limit of " + limit
                        + " (Settings.payloadBytes): keep large content elsewhere and its address in the event");
            }
        }
    }
}
