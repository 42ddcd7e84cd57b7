// SPDX-License-Identifier: Apache-2.0
package dev.fanout.examples.jdkcatalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SearchIndexTest {

    private static final Asset MAP = Events.asset("HashMap", "java.util", 10);

    private Path directory;
    private SearchIndex index;

    @BeforeEach
    void open(@TempDir Path temporary) {
        directory = temporary;
        index = new SearchIndex(directory);
    }

    @AfterEach
    void close() throws IOException {
        index.close();
    }

    @Test
    void an_older_write_is_refused_by_the_index_itself() throws IOException {
        index.apply(Events.changed(MAP.movedTo("newer"), 3));

        assertThat(index.apply(Events.changed(MAP.movedTo("older"), 2))).isInstanceOf(Outcome.Skip.class);

        assertThat(index.versionOf(MAP.id())).isEqualTo(3);
    }

    @Test
    void a_late_write_does_not_bring_a_retired_asset_back() throws IOException {
        index.apply(List.of(Events.changed(MAP, 1), Events.retired(MAP, 3)));

        index.apply(Events.changed(MAP, 2));

        assertThat(found("Map")).isZero();
        assertThat(index.versionOf(MAP.id())).isEqualTo(3);
    }

    @Test
    void a_retired_asset_comes_back_with_a_newer_version() throws IOException {
        index.apply(List.of(Events.changed(MAP, 1), Events.retired(MAP, 2), Events.changed(MAP, 3)));

        assertThat(found("Map")).isEqualTo(1);
    }

    @Test
    void a_repeat_is_acknowledged_and_changes_nothing() throws IOException {
        List<Outcome> first = index.apply(List.of(Events.changed(MAP, 1), Events.changed(MAP, 2)));
        List<Outcome> again = index.apply(List.of(Events.changed(MAP, 2)));

        assertThat(first).containsExactly(Outcome.applied(), Outcome.applied());
        assertThat(again).containsExactly(Outcome.applied());
        assertThat(found("Map")).isEqualTo(1);
    }

    @Test
    void what_is_acknowledged_is_on_disk() throws IOException {
        index.apply(Events.changed(MAP, 1));

        assertThat(IndexContents.read(directory).byId()).containsOnlyKeys(MAP.id());
    }

    @Test
    void it_goes_on_where_it_was_when_it_is_opened_again() throws IOException {
        index.apply(Events.changed(MAP, 2));
        index.close();

        assertThat(index.apply(Events.changed(MAP, 1))).isInstanceOf(Outcome.Skip.class);
    }

    @Test
    void reset_empties_it() throws IOException {
        index.apply(Events.changed(MAP, 2));

        index.reset();

        assertThat(index.versionOf(MAP.id())).isZero();
        assertThat(index.apply(Events.changed(MAP, 1))).isEqualTo(Outcome.applied());
    }

    @Test
    void the_words_of_a_name_are_found_one_by_one() throws IOException {
        index.apply(Events.changed(Events.asset("URLClassLoader$1", "java.net", 1), 1));

        assertThat(found("URL")).isEqualTo(1);
        assertThat(found("Class", "Loader", "1")).isEqualTo(1);
        assertThat(found("Load")).isZero();
    }

    private long found(String... words) throws IOException {
        return index.search(AssetDocument.query(List.of(words), ""), 1).total();
    }
}
