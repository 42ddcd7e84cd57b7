// SPDX-License-Identifier: Apache-2.0
package dev.fanout.examples.jdkcatalog;

import dev.fanout.Codec;
import dev.fanout.EntityRef;
import dev.fanout.Event;
import dev.fanout.Payload;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Events as the engine would deliver them. */
final class Events {

    private static final Codec CODEC = new JacksonCodec(JsonMapper.builder().build());

    private Events() {}

    static Event changed(Asset asset, long version) {
        return event(asset, version, false);
    }

    static Event retired(Asset asset, long version) {
        return event(asset, version, true);
    }

    static Asset asset(String name, String packageName, int size) {
        return new Asset("java.base/java.util." + name, "java.base", packageName, name, "class", size);
    }

    private static Event event(Asset asset, long version, boolean deleted) {
        return new Event(
                UUID.randomUUID(),
                EntityRef.of(Assets.TYPE, asset.id()),
                version,
                "asset.changed",
                Payload.of(CODEC.encode(asset), CODEC),
                Map.of(),
                Instant.EPOCH,
                deleted);
    }

    private record JacksonCodec(JsonMapper mapper) implements Codec {

        @Override
        public String encode(@Nullable Object value) {
            return mapper.writeValueAsString(value);
        }

        @Override
        public <P> @Nullable P decode(String json, Class<P> type) {
            return mapper.readValue(json, type);
        }

        @Override
        public void check(String json) {}
    }
}
