// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.step;

/**
 * A state machine that does one bounded step at a time and says when it wants the next. Its steps never overlap, and
 * each sees what the one before wrote, so a worker needs no locks for its own state.
 */
public interface Worker {

    /**
     * Does one step.
     *
     * @return when to do the next
     * @throws Exception anything; it is reported, and the next step comes after a pause
     */
    Next step() throws Exception;

    /**
     * Names the worker.
     *
     * @return a name for logs, such as {@code lane/0}
     */
    String name();
}
