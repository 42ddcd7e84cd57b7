// SPDX-License-Identifier: Apache-2.0
/**
 * Children of every kind on a real database: scars 20, 28, 29, 31, 32, 33, 34, 37, 53, 54, 55. The system property {@code
 * fanout.blocked} sets how many events wait behind a blocked entity: 20,000 by default, 100,000 as promised.
 */
@NullMarked
package dev.fanout.postgres.tests.children;

import org.jspecify.annotations.NullMarked;
