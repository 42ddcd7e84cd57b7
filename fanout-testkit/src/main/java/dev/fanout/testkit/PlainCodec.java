// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit;

import dev.fanout.Codec;
import dev.fanout.CodecException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Jackson as it comes, for events that no engine has made. */
final class PlainCodec implements Codec {

    private final JsonMapper mapper = JsonMapper.builder().findAndAddModules().build();

    @Override
    public String encode(@Nullable Object value) {
        return mapper.writeValueAsString(value);
    }

    @Override
    public <P> @Nullable P decode(String json, Class<P> type) {
        try {
            return mapper.readValue(json, type);
        } catch (JacksonException failure) {
            throw new CodecException("JSON does not fit " + type.getName() + ": " + failure.getMessage(), failure);
        }
    }

    @Override
    public void check(String json) {
        mapper.readTree(json);
    }
}
