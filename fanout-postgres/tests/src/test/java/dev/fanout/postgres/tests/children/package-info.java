// SPDX-License-Identifier: Apache-2.0
/** Children of every kind on a real database. */
@NullMarked
package dev.fanout.postgres.tests.children;

import org.jspecify.annotations.NullMarked;
