// SPDX-License-Identifier: Apache-2.0
package dev.fanout.benchmarks;

import dev.fanout.testkit.TestDatabase;

/** The ways that are compared. */
enum Ways {
    /** The three rows by plain JDBC: nothing is notified, nothing is delivered. */
    ROWS_BY_HAND {
        @Override
        Way on(Address address) {
            return new HandWay(address, false);
        }
    },
    /** The three rows and a NOTIFY; LISTEN, SELECT, handle, DELETE. */
    LOOP_BY_HAND {
        @Override
        Way on(Address address) {
            return new HandWay(address, true);
        }
    },
    /** The library, given an ordinary connection of the application's, told of the commit as a framework would. */
    FANOUT {
        @Override
        Way on(Address address) {
            return new FanoutWay(address, true);
        }
    },
    /** The library, never told of a commit. */
    FANOUT_UNTOLD {
        @Override
        Way on(Address address) {
            return new FanoutWay(address, false);
        }
    };

    /** Where a database is. */
    record Address(String url, String user, String password) {

        static Address of(TestDatabase database) {
            return new Address(database.jdbcUrl(), database.user(), database.password());
        }
    }

    /** Opens this way, bringing up its tables if they are missing. */
    abstract Way on(Address address);
}
