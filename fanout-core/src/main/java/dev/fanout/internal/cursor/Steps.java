// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.cursor;

import dev.fanout.spi.Cursors.Advance;

/** The steps in which what a delivery settles is written. */
interface Steps {

    /** Makes the step that writes what is settled by now. */
    Advance next();

    /** Tells that this step is written. */
    void written(Advance step);
}
