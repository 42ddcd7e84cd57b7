// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal;

import dev.fanout.ChildSpec;
import dev.fanout.Codec;
import dev.fanout.FanoutListener;
import dev.fanout.Settings;
import dev.fanout.StreamSpec;
import java.util.List;

/**
 * What an engine is made of, checked and complete.
 *
 * @param streams the declared streams
 * @param children the declared children
 * @param settings the numbers
 * @param codec what encodes and decodes documents
 * @param listener who hears of everything
 * @param nodeName this node's name, for people
 * @param <T> the transaction handle of the store
 */
public record Parts<T>(
        List<StreamSpec> streams,
        List<ChildSpec<T>> children,
        Settings settings,
        Codec codec,
        FanoutListener listener,
        String nodeName) {}
