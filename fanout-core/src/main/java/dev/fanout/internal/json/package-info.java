// SPDX-License-Identifier: Apache-2.0
/** Adapters for JSON libraries. Begin with {@code Codecs}. */
@NullMarked
package dev.fanout.internal.json;

import org.jspecify.annotations.NullMarked;
