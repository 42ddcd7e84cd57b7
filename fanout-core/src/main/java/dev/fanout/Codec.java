// SPDX-License-Identifier: Apache-2.0
package dev.fanout;

import org.jspecify.annotations.Nullable;

/**
 * Turns the application's objects into JSON text and back.
 *
 * <p>Adapters for Jackson 3 and Jackson 2 come with the library and one of them is chosen by what is on the class
 * path; {@link Fanout.Builder#codec} takes the application's own. Implementations must be safe for use by many threads.
 */
public interface Codec {

    /**
     * Writes an object as JSON.
     *
     * @param value the object; may be null, which is the JSON value {@code null}
     * @return one JSON document
     * @throws CodecException if the object can't be written
     */
    String encode(@Nullable Object value);

    /**
     * Reads an object from JSON.
     *
     * @param <P> the type wanted
     * @param json one JSON document
     * @param type the class wanted
     * @return the object; null for the JSON value {@code null}
     * @throws CodecException if the document does not fit the class
     */
    <P> @Nullable P decode(String json, Class<P> type);

    /**
     * Checks that text is one JSON document that the database can store: no {@code \u0000}, no half surrogate pair,
     * no number beyond PostgreSQL's {@code numeric}, no absurd depth.
     *
     * @param json the text to check
     * @throws CodecException if it isn't, saying why and where
     */
    void check(String json);
}
