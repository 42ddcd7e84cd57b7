// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres;

/** What a store does about its schema when it is opened. */
public enum MigrationMode {

    /** Brings the schema to this release where it is older or absent. Needs a role that may create it. */
    MIGRATE,

    /** Changes nothing, and is refused where the schema is not of this release: for schemas that a DBA brings up. */
    VALIDATE
}
