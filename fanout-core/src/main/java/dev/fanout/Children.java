// SPDX-License-Identifier: Apache-2.0
package dev.fanout;

import java.time.Duration;
import java.util.List;

/**
 * The children while the engine runs: who comes and goes, who stands still, and what was set aside.
 *
 * <p>Every change is stored, told to all nodes at once, and carried out by them within a second. It holds until it is undone: a
 * process that starts and still declares a detached child leaves it detached, and says so.
 *
 * <p>Safe for use by many threads and many nodes at once. Every method throws {@link StoreUnavailableException} if the database
 * can't be reached.
 *
 * @param <T> the application's transaction handle
 */
public interface Children<T> {

    /** Where a child is. */
    enum State {
        /** It is delivered to. */
        ATTACHED,
        /** It stands still, and goes on where it stood when it is resumed. */
        PAUSED,
        /** It is delivered nothing, and starts anew when it is attached. */
        DETACHED
    }

    /**
     * A child as it is stored.
     *
     * @param name the child's name
     * @param stream the stream that it hangs on
     * @param epoch the identity of its attachment: another one after it was attached again
     * @param state where it is
     * @param delay how old a record must be before the child gets it
     * @param known whether this process can run it; if not, it is left to those that can
     * @param needsRebuild whether records were removed before the child got them, since it was attached
     */
    record Child(
            String name,
            String stream,
            String epoch,
            State state,
            Duration delay,
            boolean known,
            boolean needsRebuild) {}

    /**
     * Attaches a child that this process declares: at the tail of its stream, or at the beginning where it is declared so
     * ({@link ChildSpec#fromBeginning()}). What it had applied before it was detached is forgotten, so nothing is compared with
     * it, and nothing that was published while it was detached is made up for.
     *
     * @param child its name
     * @return false if it was attached already; then nothing has changed
     * @throws UnknownChildException if this process does not declare it
     * @throws StartRefusedException if its stream has no room for another child, or does not keep its records for long enough
     */
    boolean attach(String child);

    /**
     * Attaches a child, also one that was not declared when the engine was built. This process can run it from then on; other
     * processes leave it to this one, unless they declare it too. If the child is attached already, here or by another process,
     * the declaration must agree with the stored one.
     *
     * @param child its declaration
     * @return false if it was attached already; this process can run it all the same
     * @throws StartRefusedException if the declaration is incomplete, its stream is not stored, has no room for another
     *     child or does not keep its records for long enough, or another child of that name is stored
     */
    boolean attach(ChildSpec<T> child);

    /**
     * Detaches a child, whoever runs it: nothing that it does afterwards is stored, and its cursors, gates and parked events are
     * swept away. A call of its projection that is running may still take effect.
     *
     * @param child its name
     * @return false if it was not attached
     * @throws UnknownChildException if there is none of that name
     */
    boolean detach(String child);

    /**
     * Lets a child stand still. Its stream keeps its records for no longer than it says.
     *
     * @param child its name
     * @return false if it is detached, or stood still already
     * @throws UnknownChildException if there is none of that name
     */
    boolean pause(String child);

    /**
     * Lets a child go on where it stood.
     *
     * @param child its name
     * @return false if it is detached, or did not stand still
     * @throws UnknownChildException if there is none of that name
     */
    boolean resume(String child);

    /**
     * Lists the entities that a child has set aside, up to a thousand.
     *
     * @param child its name
     * @return the entities, those parked longest first
     * @throws UnknownChildException if there is none of that name, or it is detached
     */
    List<ParkedEntity> parked(String child);

    /**
     * Lists the entities that a child has set aside.
     *
     * @param child its name
     * @param limit how many at the most
     * @return the entities, those parked longest first
     * @throws UnknownChildException if there is none of that name, or it is detached
     */
    List<ParkedEntity> parked(String child, int limit);

    /**
     * Asks for everything that a child has set aside to be delivered again, entity by entity in order. The node that runs the
     * child does it, between deliveries.
     *
     * @param child its name
     * @return how many entities it concerns
     * @throws UnknownChildException if there is none of that name, or it is detached
     */
    long requeue(String child);

    /**
     * Asks for an entity that a child has set aside to be delivered again, in order.
     *
     * @param child its name
     * @param entity which entity
     * @return false if it is not set aside
     * @throws UnknownChildException if there is no child of that name, or it is detached
     */
    boolean requeue(String child, EntityRef entity);

    /**
     * Asks for an entity's events that are set aside to be given up, which is counted. Later events of it are delivered again.
     *
     * @param child its name
     * @param entity which entity
     * @return false if it is not set aside
     * @throws UnknownChildException if there is no child of that name, or it is detached
     */
    boolean discard(String child, EntityRef entity);

    /**
     * Lists all children, whoever declared them.
     *
     * @return the children by name
     */
    List<Child> list();
}
