// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit;

import dev.fanout.Event;
import dev.fanout.Outcome;
import dev.fanout.Projection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * A projection that remembers what it handed on, so that a test can hand it on again, as after a crash, or in another
 * order, as a write that was delayed out of sight. Safe for use by many threads.
 */
public final class Redelivery implements Projection {

    private final Projection projection;
    private final List<Event> delivered = Collections.synchronizedList(new ArrayList<>());

    private Redelivery(Projection projection) {
        this.projection = projection;
    }

    /**
     * Wraps a projection.
     *
     * @param projection the projection under test
     * @return a projection to declare in its place
     */
    public static Redelivery of(Projection projection) {
        return new Redelivery(projection);
    }

    @Override
    public Outcome apply(Event event) throws Exception {
        Outcome outcome = projection.apply(event);
        if (outcome.acknowledged()) {
            delivered.add(event);
        }
        return outcome;
    }

    @Override
    public void reset() throws Exception {
        projection.reset();
    }

    /**
     * Returns what was delivered and acknowledged so far.
     *
     * @return the events in order
     */
    public List<Event> delivered() {
        synchronized (delivered) {
            return List.copyOf(delivered);
        }
    }

    /**
     * Delivers all of it again, in the same order.
     *
     * @throws Exception what the projection threw
     */
    public void again() throws Exception {
        replay(delivered());
    }

    /**
     * Delivers all of it again, in another order.
     *
     * @param seed which order
     * @throws Exception what the projection threw
     */
    public void outOfOrder(long seed) throws Exception {
        List<Event> shuffled = new ArrayList<>(delivered());
        Collections.shuffle(shuffled, new Random(seed));
        replay(shuffled);
    }

    private void replay(List<Event> events) throws Exception {
        for (Event event : events) {
            Outcome outcome = projection.apply(event);
            if (!outcome.acknowledged()) {
                throw new AssertionError("delivered again, " + event + " was not acknowledged: " + outcome);
            }
        }
    }
}
