// SPDX-License-Identifier: Apache-2.0
package dev.fanout;

/** Says which events a child gets. */
@FunctionalInterface
public interface Filter {

    /**
     * Decides.
     *
     * @param event an event
     * @return whether it passes
     */
    boolean passes(Event event);
}
