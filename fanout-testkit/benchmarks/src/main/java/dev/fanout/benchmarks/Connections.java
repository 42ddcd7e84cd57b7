// SPDX-License-Identifier: Apache-2.0
package dev.fanout.benchmarks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.fanout.benchmarks.Ways.Address;

/** The same pool for every way, so that none has a lighter connection than another. */
final class Connections {

    private static final int MOST = 48;

    private Connections() {}

    static HikariDataSource pool(Address address) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(address.url());
        config.setUsername(address.user());
        config.setPassword(address.password());
        config.setMaximumPoolSize(MOST);
        config.setMinimumIdle(0);
        return new HikariDataSource(config);
    }
}
