// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fanout.StartRefusedException;
import org.junit.jupiter.api.Test;

/** What can't be started here for a test: an old server, and a standby. */
class ServerTest {

    @Test
    void a_server_older_than_15_is_refused_with_its_version() {
        assertThatThrownBy(server(140_013, false, false)::check)
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContaining("14.13")
                .hasMessageContaining("upgrade");
    }

    @Test
    void a_standby_is_refused_and_told_where_to_connect() {
        assertThatThrownBy(server(170_011, true, true)::check)
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContaining("standby")
                .hasMessageContaining("targetServerType=primary");
    }

    @Test
    void sessions_that_are_read_only_are_refused_with_their_role() {
        assertThatThrownBy(server(170_011, false, true)::check)
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContaining("role shop");
    }

    @Test
    void the_oldest_supported_primary_is_taken() {
        Server oldest = server(150_000, false, false);
        assertThat(oldest.check()).isSameAs(oldest);
    }

    private static Server server(int version, boolean standby, boolean readOnly) {
        String shown = version / 10_000 + "." + version % 10_000;
        return new Server(version, shown, standby, readOnly, "shop", true, true, true);
    }
}
