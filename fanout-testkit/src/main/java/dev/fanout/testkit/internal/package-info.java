// SPDX-License-Identifier: Apache-2.0
/**
 * How the testkit does what it does: unpacking and running PostgreSQL, choosing where it comes from, finding leaks,
 * reading the wire protocol. Not an API. The entry points are {@link dev.fanout.testkit.internal.PostgresBinaries} and
 * {@link dev.fanout.testkit.internal.PostgresProcess}; nothing here knows the public package.
 */
@NullMarked
package dev.fanout.testkit.internal;

import org.jspecify.annotations.NullMarked;
