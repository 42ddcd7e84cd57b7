// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.memory;

import dev.fanout.Codec;
import dev.fanout.Settings;

/** What one node said of itself when it opened its store. */
final class Opened {

    private volatile Codec codec = UnopenedCodec.INSTANCE;
    private volatile Settings settings = Settings.defaults();

    void with(Codec newCodec, Settings newSettings) {
        codec = newCodec;
        settings = newSettings;
    }

    Codec codec() {
        return codec;
    }

    Settings settings() {
        return settings;
    }
}
