// SPDX-License-Identifier: Apache-2.0
package dev.fanout;

/** When an append wakes the relay by NOTIFY. No mode changes what is delivered, only when. */
public enum WakeMode {

    /** Only while the relay sleeps. A committing NOTIFY takes a lock of the whole cluster, so busy times need none. */
    ADAPTIVE,

    /** With every append: for measuring, or where an advisory lock can't be taken. */
    ALWAYS,

    /** Not at all: for XA and JTA hosts (NOTIFY forbids PREPARE TRANSACTION). The poll finds the rows. */
    NEVER
}
