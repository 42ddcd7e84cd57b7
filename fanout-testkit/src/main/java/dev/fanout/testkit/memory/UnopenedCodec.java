// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.memory;

import dev.fanout.Codec;
import dev.fanout.CodecException;
import org.jspecify.annotations.Nullable;

/** Stands in where no declaration has named a codec: documents are then text and nothing more. */
enum UnopenedCodec implements Codec {
    INSTANCE;

    @Override
    public String encode(@Nullable Object value) {
        throw none();
    }

    @Override
    public <P> @Nullable P decode(String json, Class<P> type) {
        throw none();
    }

    @Override
    public void check(String json) {
        throw none();
    }

    private static CodecException none() {
        return new CodecException("no codec is known before the store has been opened; read json() instead", null);
    }
}
