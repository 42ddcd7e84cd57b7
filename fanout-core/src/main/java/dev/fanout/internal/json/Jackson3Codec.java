// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.json;

import dev.fanout.Codec;
import dev.fanout.CodecException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/** Reads and writes with Jackson 3. Safe for use by many threads. */
public final class Jackson3Codec implements Codec {

    private final ObjectMapper mapper;

    /** Text is checked by the letter: what an application's lenient mapper reads is not yet JSON to PostgreSQL. */
    private final JsonFactory strict;

    /** Makes a codec with a mapper of its own, with the modules found on the class path. */
    public Jackson3Codec() {
        this(JsonMapper.builder().findAndAddModules().build());
    }

    /**
     * Makes a codec with the application's mapper.
     *
     * @param mapper the mapper
     */
    public Jackson3Codec(ObjectMapper mapper) {
        this.mapper = mapper;
        this.strict = JsonFactory.builder()
                .streamReadConstraints(limits(mapper.tokenStreamFactory().streamReadConstraints()))
                .build();
    }

    /** What this mapper will not read back is not to be written; and jsonb itself nests only so deep. */
    private static StreamReadConstraints limits(StreamReadConstraints ofMapper) {
        int depth = StreamReadConstraints.defaults().getMaxNestingDepth();
        return ofMapper.getMaxNestingDepth() <= depth
                ? ofMapper
                : ofMapper.rebuild().maxNestingDepth(depth).build();
    }

    @Override
    public String encode(@Nullable Object value) {
        String json;
        try {
            json = mapper.writeValueAsString(value);
        } catch (JacksonException failure) {
            throw new CodecException("it can't be written as JSON: " + failure.getMessage(), failure);
        }
        check(json);
        return json;
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
        // a string's length is judged where it is asked for
        boolean plain =
                json.length() <= strict.streamReadConstraints().getMaxStringLength() && Storable.allTextFits(json);
        try (JsonParser parser = strict.createParser(ObjectReadContext.empty(), json)) {
            int roots = 0;
            int depth = 0;
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                roots += depth == 0 ? 1 : 0;
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                check(token, parser, plain);
            }
            if (roots == 0 || depth != 0) {
                throw new CodecException("there is no complete JSON document", null);
            }
            // a closing bracket at depth 0 is never a root of its own, so each further root is a second document
            if (roots > 1) {
                throw new CodecException("there is more than one JSON document", null);
            }
        } catch (JacksonException failure) {
            throw new CodecException("it is not JSON: " + failure.getMessage(), failure);
        }
    }

    private void check(JsonToken token, JsonParser parser, boolean plain) {
        String refusal = switch (token) {
            case VALUE_STRING, PROPERTY_NAME -> plain ? null : Storable.refusalOfText(parser.getString());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> Storable.refusalOfNumber(parser.getString(), digits());
            default -> null;
        };
        if (refusal != null) {
            throw new CodecException("it holds " + refusal, null);
        }
    }

    private int digits() {
        return strict.streamReadConstraints().getMaxNumberLength();
    }
}
