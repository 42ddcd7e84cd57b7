// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.fanout.Codec;
import dev.fanout.CodecException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads and writes with Jackson 2. Safe for use by many threads. */
public final class Jackson2Codec implements Codec {

    private final ObjectMapper mapper;

    /** Text is checked by the letter: what an application's lenient mapper reads is not yet JSON to PostgreSQL. */
    private final JsonFactory strict;

    /** Makes a codec with a mapper of its own, with the modules found on the class path. */
    public Jackson2Codec() {
        this(JsonMapper.builder().findAndAddModules().build());
    }

    /**
     * Makes a codec with the application's mapper.
     *
     * @param mapper the mapper
     */
    public Jackson2Codec(ObjectMapper mapper) {
        this.mapper = mapper;
        this.strict = JsonFactory.builder()
                .streamReadConstraints(limits(mapper.getFactory().streamReadConstraints()))
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
        } catch (JsonProcessingException failure) {
            throw new CodecException("it can't be written as JSON: " + failure.getMessage(), failure);
        }
        check(json);
        return json;
    }

    @Override
    public <P> @Nullable P decode(String json, Class<P> type) {
        try {
            return mapper.readValue(json, type);
        } catch (JsonProcessingException failure) {
            throw new CodecException("JSON does not fit " + type.getName() + ": " + failure.getMessage(), failure);
        }
    }

    @Override
    public void check(String json) {
        // a string's length is judged where it is asked for
        boolean plain =
                json.length() <= strict.streamReadConstraints().getMaxStringLength() && Storable.allTextFits(json);
        try (JsonParser parser = strict.createParser(json)) {
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
        } catch (IOException failure) {
            throw new CodecException("it is not JSON: " + failure.getMessage(), failure);
        }
    }

    private void check(JsonToken token, JsonParser parser, boolean plain) throws IOException {
        String refusal = switch (token) {
            case VALUE_STRING, FIELD_NAME -> plain ? null : Storable.refusalOfText(parser.getText());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> Storable.refusalOfNumber(parser.getText(), digits());
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
