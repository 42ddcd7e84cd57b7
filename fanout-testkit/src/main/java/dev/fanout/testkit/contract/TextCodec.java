// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.contract;

import dev.fanout.Codec;
import org.jspecify.annotations.Nullable;

/** Decodes a document to its own text: enough to see that a store uses the codec that was declared. */
final class TextCodec implements Codec {

    @Override
    public String encode(@Nullable Object value) {
        return String.valueOf(value);
    }

    @Override
    public <P> @Nullable P decode(String json, Class<P> type) {
        return type.cast(json);
    }

    @Override
    public void check(String json) {}
}
