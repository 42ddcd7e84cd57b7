// SPDX-License-Identifier: Apache-2.0
package dev.fanout.benchmarks;

import java.sql.SQLException;

/** Something to measure. */
interface Figure {

    /** The group that it belongs to. */
    String name();

    /** Measures it and adds its lines. */
    void measure(Bench bench) throws SQLException;
}
