// SPDX-License-Identifier: Apache-2.0
package dev.fanout;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A JSON document with the codec that reads it.
 *
 * <p>PostgreSQL keeps documents as {@code jsonb}: what is read back has the same members and values, but not the same
 * bytes (white space, the order of members, and all but the last of repeated members are gone).
 *
 * <p>Immutable and safe for use by many threads. Equal when the text is equal.
 */
public final class Payload {

    private final String json;
    private final Codec codec;

    private Payload(String json, Codec codec) {
        this.json = Objects.requireNonNull(json, "json");
        this.codec = Objects.requireNonNull(codec, "codec");
    }

    /**
     * Makes a payload of text that is known to be JSON.
     *
     * @param json the document
     * @param codec what decodes it
     * @return the payload
     */
    public static Payload of(String json, Codec codec) {
        return new Payload(json, codec);
    }

    /**
     * Returns the document as text.
     *
     * @return the JSON text, never null; the JSON value {@code null} is the text {@code "null"}
     */
    public String json() {
        return json;
    }

    /**
     * Decodes the document.
     *
     * @param <P> the type wanted
     * @param type the class wanted
     * @return the decoded object; null for the JSON value {@code null}
     * @throws CodecException if the document does not fit the class
     */
    public <P> @Nullable P as(Class<P> type) {
        return codec.decode(json, type);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Payload that && json.equals(that.json);
    }

    @Override
    public int hashCode() {
        return json.hashCode();
    }

    /** Returns the JSON text. */
    @Override
    public String toString() {
        return json;
    }
}
