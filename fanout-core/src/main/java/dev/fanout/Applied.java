// SPDX-License-Identifier: Apache-2.0
package dev.fanout;

/** What became of waiting for a child to apply an event. A value, not an exception: the caller then reads the primary. */
public enum Applied {

    /** The child has applied the event, or a newer one of the same entity. */
    APPLIED,

    /**
     * The child has set the entity aside, this event or an earlier one being at fault: it will be applied when somebody
     * requeues it.
     */
    PARKED,

    /** The event never reaches the child: it went to none of the streams that lead there, or a filter keeps it out. */
    FILTERED,

    /** The time was up first. The event may be applied at any later moment. */
    TIMED_OUT
}
