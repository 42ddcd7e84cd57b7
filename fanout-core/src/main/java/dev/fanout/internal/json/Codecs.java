// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.json;

import dev.fanout.Codec;
import dev.fanout.StartRefusedException;

/** Chooses a codec by what is on the class path. */
public final class Codecs {

    private Codecs() {}

    /**
     * Returns the codec for an application that names none: Jackson 3 where it is, else Jackson 2.
     *
     * @return the codec
     * @throws StartRefusedException if neither is on the class path
     */
    public static Codec detect() {
        ClassLoader loader = Codecs.class.getClassLoader();
        if (isPresent("tools.jackson.databind.ObjectMapper", loader)) {
            return new Jackson3Codec();
        }
        if (isPresent("com.fasterxml.jackson.databind.ObjectMapper", loader)) {
            return new Jackson2Codec();
        }
        throw new StartRefusedException("no JSON codec: add tools.jackson.core:jackson-databind (3.x) or"
                + " com.fasterxml.jackson.core:jackson-databind (2.x), or hand in one with codec(..)");
    }

    private static boolean isPresent(String name, ClassLoader loader) {
        return loader.getResource(name.replace('.', '/') + ".class") != null;
    }
}
