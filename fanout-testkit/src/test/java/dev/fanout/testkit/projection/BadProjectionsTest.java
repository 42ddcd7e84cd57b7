// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.fanout.EntityRef;
import dev.fanout.Event;
import dev.fanout.Outcome;
import dev.fanout.Projection;
import dev.fanout.testkit.Events;
import dev.fanout.testkit.ProjectionContract;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineTestKit;

/** The contract catches each way to be wrong, by the test that names it. */
class BadProjectionsTest {

    @Test
    void one_that_ignores_versions_is_caught() {
        assertThat(failuresOf(IgnoresVersions.class)).contains("whatever_the_order_of_arrival_the_newest_version_wins");
    }

    @Test
    void one_that_applies_a_stale_write_after_a_newer_is_caught() {
        assertThat(failuresOf(AppliesStale.class)).contains("a_stale_write_after_a_newer_one_changes_nothing");
    }

    @Test
    void one_that_counts_a_duplicate_twice_is_caught() {
        assertThat(failuresOf(CountsTwice.class)).containsExactly("a_repeat_changes_nothing");
    }

    @Test
    void one_that_forgets_tombstones_is_caught() {
        assertThat(failuresOf(ForgetsTombstones.class))
                .containsExactly("a_tombstone_removes_the_entity_and_a_late_event_does_not_bring_it_back");
    }

    @Test
    void one_that_loses_on_reset_and_replay_is_caught() {
        assertThat(failuresOf(LosesOnReplay.class))
                .containsExactly("a_reset_empties_the_store_and_a_replay_fills_it_again");
    }

    @Test
    void one_that_swallows_a_failure_is_caught() {
        assertThat(failuresOf(SwallowsFailure.class))
                .containsExactly("a_store_that_fails_is_reported_and_the_event_can_come_again");
    }

    private static List<String> failuresOf(Class<? extends ProjectionContract> contract) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(contract))
                .execute()
                .testEvents()
                .failed()
                .stream()
                .map(event -> event.getTestDescriptor().getDisplayName().replace("()", ""))
                .toList();
    }

    abstract static class OnShelf extends ProjectionContract {

        Shelf shelf = shelf();

        abstract Shelf shelf();

        @Override
        protected Projection projection() {
            shelf = shelf();
            return shelf;
        }

        @Override
        protected Event event(EntityRef entity, long version) {
            return Events.of(entity, version, "asset.renamed", entity.id() + "-" + version);
        }

        @Override
        protected @Nullable Object read(EntityRef entity) {
            return shelf.read(entity);
        }

        @Override
        protected Object readAll() {
            return shelf.readAll();
        }

        @Override
        protected void breakStore() {
            shelf.broken = true;
        }

        @Override
        protected void mendStore() {
            shelf.broken = false;
        }
    }

    static class IgnoresVersions extends OnShelf {
        @Override
        Shelf shelf() {
            return new Shelf() {
                @Override
                boolean isNewer(Event event, @Nullable Item there) {
                    return true;
                }
            };
        }
    }

    static class AppliesStale extends OnShelf {
        @Override
        Shelf shelf() {
            return new Shelf() {
                @Override
                boolean isNewer(Event event, @Nullable Item there) {
                    return there == null || event.gateVersion() != there.version();
                }
            };
        }
    }

    static class CountsTwice extends OnShelf {
        @Override
        Shelf shelf() {
            return new Shelf() {
                @Override
                public Outcome apply(Event event) throws Exception {
                    writes++;
                    return super.apply(event);
                }
            };
        }
    }

    static class ForgetsTombstones extends OnShelf {
        @Override
        Shelf shelf() {
            return new Shelf() {
                @Override
                void put(Event event) {
                    super.put(event);
                    if (event.deleted()) {
                        items.remove(event.entity());
                    }
                }
            };
        }
    }

    static class LosesOnReplay extends OnShelf {
        @Override
        Shelf shelf() {
            return new Shelf() {
                @Override
                public void reset() {
                    items.replaceAll((entity, item) -> new Item(item.version(), true, item.text()));
                }
            };
        }
    }

    static class SwallowsFailure extends OnShelf {
        @Override
        Shelf shelf() {
            return new Shelf() {
                @Override
                public Outcome apply(Event event) throws Exception {
                    return broken ? Outcome.applied() : super.apply(event);
                }
            };
        }
    }
}
