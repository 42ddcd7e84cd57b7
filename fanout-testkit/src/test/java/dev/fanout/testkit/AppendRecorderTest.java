// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fanout.Append;
import dev.fanout.AppendRefusedException;
import dev.fanout.Appended;
import dev.fanout.EntityRef;
import dev.fanout.Event;
import dev.fanout.Fanout;
import dev.fanout.VersionConflictException;
import java.sql.Connection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AppendRecorderTest {

    private final AppendRecorder<Connection> recorder = AppendRecorder.create();
    private final Fanout<Connection> fanout =
            Fanout.builder(recorder).stream("assets", s -> s.entities("asset")).build();

    @AfterEach
    void close() {
        fanout.close();
    }

    @Test
    void what_was_appended_is_recorded_without_a_database() {
        fanout.append(null, Append.to("asset", "42").event("asset.renamed", "pump-7"));
        fanout.append(null, Append.to("asset", "43").event("asset.made", null).deleted());
        assertThat(recorder.events())
                .extracting(Event::type)
                .containsExactly("asset.renamed", "asset.made", "asset.deleted");
        assertThat(recorder.events(EntityRef.of("asset", "42")).get(0).payload().json())
                .isEqualTo("\"pump-7\"");
    }

    @Test
    void versions_grow_and_a_wrong_expectation_is_a_conflict() {
        Appended first = fanout.append(null, Append.to("asset", "42").event("asset.made", 1));
        assertThat(first.version()).isEqualTo(1);
        assertThatThrownBy(() -> fanout.append(
                        null, Append.to("asset", "42").expecting(7).event("asset.renamed", 2)))
                .isInstanceOf(VersionConflictException.class)
                .hasMessageContaining("expected version 7, actual version 1");
        assertThat(recorder.events()).hasSize(1);
    }

    @Test
    void a_repeated_key_answers_with_the_earlier_append() {
        Append once = Append.to("asset", "42").key("cmd-1").event("asset.made", 1);
        Appended first = fanout.append(null, once);
        Appended repeat = fanout.append(null, once);
        assertThat(repeat.repeated()).isTrue();
        assertThat(repeat.events()).isEqualTo(first.events());
    }

    @Test
    void a_forgotten_route_is_refused_as_in_production() {
        assertThatThrownBy(() -> fanout.append(null, Append.to("order", "1").event("order.placed", 1)))
                .isInstanceOf(AppendRefusedException.class)
                .hasMessageContaining("historyOnly()");
    }
}
