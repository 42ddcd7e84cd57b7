// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.FanoutListener;
import dev.fanout.Settings;
import dev.fanout.internal.TestPlatform;
import dev.fanout.internal.node.Reconciler.Job;
import dev.fanout.internal.step.Activity;
import dev.fanout.internal.step.Backoff;
import dev.fanout.internal.step.Next;
import dev.fanout.internal.step.Outages;
import dev.fanout.internal.step.Worker;
import dev.fanout.spi.Lease;
import dev.fanout.spi.Leases.Survey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Two nodes with real reconcilers and memberships, on one virtual clock and one list of leases. */
class ReconcilerTest {

    private static final List<String> LANES = List.of("lane/0", "lane/1", "lane/2", "lane/3", "lane/4", "lane/5");

    private final TestPlatform platform = new TestPlatform();
    private final ListedLeases leases = new ListedLeases();
    private final Settings settings = Settings.defaults();

    @Test
    void a_node_alone_runs_everything_that_it_can() {
        Node alone = new Node("a", Set.of("search"), Map.of("lane/0", "", "child/search/0", "search"));
        alone.start();
        platform.pass(Duration.ofSeconds(2));

        assertThat(alone.running.keySet()).containsExactly("child/search/0", "lane/0");
        assertThat(alone.events).containsExactly("taken child/search/0 1", "taken lane/0 1");
    }

    @Test
    void two_nodes_share_and_nothing_has_two_owners_at_any_moment() {
        Node a = lanes("a");
        a.start();
        platform.pass(Duration.ofSeconds(3));
        assertThat(a.running.keySet()).containsExactlyElementsOf(LANES);

        Node b = lanes("b");
        b.start();
        passCheckingThatNothingRunsTwice(Duration.ofSeconds(6), a, b);

        assertThat(b.running).isNotEmpty();
        assertThat(a.running).isNotEmpty();
        assertThat(a.running.size() + b.running.size()).isEqualTo(LANES.size());
    }

    @Test
    void what_only_one_node_knows_runs_there() {
        Node a = new Node("a", Set.of("search"), Map.of("child/search/0", "search", "child/search/1", "search"));
        Node b = new Node("b", Set.of("cache"), Map.of("child/cache/0", "cache", "child/cache/1", "cache"));
        a.start();
        b.start();
        platform.pass(Duration.ofSeconds(5));

        assertThat(a.running.keySet()).containsExactly("child/search/0", "child/search/1");
        assertThat(b.running.keySet()).containsExactly("child/cache/0", "child/cache/1");
    }

    @Test
    void a_worker_is_stopped_before_its_lease_is_released() {
        Node a = lanes("a");
        a.start();
        platform.pass(Duration.ofSeconds(3));
        a.blocked = true;
        a.signalAll();
        Node b = lanes("b");
        b.start();
        platform.pass(Duration.ofSeconds(30));

        // a handler of a's that never ends keeps its lease, for as long as a's heart beats
        assertThat(b.running).isEmpty();
        assertThat(LANES).allMatch(lane -> leases.owner(lane).equals(a.membership.node()));

        a.blocked = false;
        a.endSteps();
        platform.pass(Duration.ofSeconds(3));
        assertThat(b.running).isNotEmpty();
        assertThat(a.running.size() + b.running.size()).isEqualTo(LANES.size());
    }

    @Test
    void a_dead_nodes_leases_are_taken_after_the_length_of_a_lease_and_not_before() {
        Node a = lanes("a");
        Node b = lanes("b");
        a.start();
        b.start();
        platform.pass(Duration.ofSeconds(6));
        a.die();

        platform.pass(Duration.ofSeconds(9));
        assertThat(b.running).hasSizeLessThan(LANES.size());
        platform.pass(Duration.ofSeconds(6));
        assertThat(b.running.keySet()).containsExactlyElementsOf(LANES);
        assertThat(leases.survey().nodes()).hasSize(2);
        platform.pass(Duration.ofSeconds(60));
        assertThat(leases.survey().nodes()).hasSize(1);
    }

    @Test
    void a_node_that_can_not_renew_stands_still_before_others_may_take_over() {
        Node a = lanes("a");
        a.start();
        platform.pass(Duration.ofSeconds(3));
        Lease lease = a.running.get("lane/0");
        assertThat(a.reconciler.holds(lease)).isTrue();
        leases.down = true;

        platform.pass(Duration.ofSeconds(5));
        assertThat(a.reconciler.holds(lease)).isTrue();
        platform.pass(Duration.ofMillis(3_001));
        assertThat(a.reconciler.holds(lease)).isFalse();
    }

    @Test
    void a_node_whose_heart_stands_still_takes_nothing_back() {
        Node a = lanes("a");
        a.start();
        platform.pass(Duration.ofSeconds(3));
        assertThat(a.heartbeat.stop()).isCompleted();
        platform.pass(Duration.ofMillis(7_500));
        assertThat(a.events).contains("lost lane/0");
        a.events.clear();

        platform.pass(Duration.ofSeconds(1));

        assertThat(a.events).isEmpty();
        assertThat(a.running).isEmpty();
    }

    @Test
    void after_an_outage_longer_than_the_lease_everything_runs_again_under_new_tokens() {
        Node a = lanes("a");
        a.start();
        platform.pass(Duration.ofSeconds(3));
        leases.down = true;
        platform.pass(Duration.ofMinutes(5));
        leases.down = false;
        platform.pass(Duration.ofSeconds(15));

        assertThat(a.running.keySet()).containsExactlyElementsOf(LANES);
        assertThat(a.running.values()).allMatch(lease -> a.reconciler.holds(lease));
        assertThat(LANES)
                .allMatch(lane -> leases.token(lane) == a.running.get(lane).token());
    }

    @Test
    void a_process_that_was_stopped_beyond_its_lease_finds_it_lost_and_releases_nothing() {
        Node a = lanes("a");
        a.start();
        platform.pass(Duration.ofSeconds(3));
        long other = leases.join("b", Set.of());
        leases.take("lane/0", leases.token("lane/0"), other);
        a.events.clear();

        platform.pass(Duration.ofMillis(1_500));

        assertThat(a.events).contains("lost lane/0").doesNotContain("released lane/0");
        assertThat(leases.owner("lane/0")).hasValue(other);
    }

    @Test
    void a_fenced_write_gives_the_lease_up_at_the_next_pass() {
        Node a = lanes("a");
        a.start();
        platform.pass(Duration.ofSeconds(3));
        Lease stale = a.running.get("lane/0");
        a.reconciler.lost(stale);

        platform.pass(Duration.ofSeconds(3));

        assertThat(a.events).contains("lost lane/0");
        assertThat(a.running.get("lane/0").token()).isGreaterThan(stale.token());
    }

    @Test
    void a_release_that_failed_is_made_up_for() {
        Node a = lanes("a");
        a.start();
        platform.pass(Duration.ofSeconds(3));
        a.blocked = true;
        a.signalAll();
        Node b = lanes("b");
        b.start();
        platform.pass(Duration.ofSeconds(5));

        // the workers end while the database can't be reached
        leases.down = true;
        a.blocked = false;
        a.endSteps();
        platform.pass(Duration.ofSeconds(4));
        leases.down = false;
        platform.pass(Duration.ofSeconds(10));

        assertThat(b.running).isNotEmpty();
        assertThat(a.running.size() + b.running.size()).isEqualTo(LANES.size());
    }

    @Test
    void a_lease_whose_answer_was_lost_does_not_stay_with_a_node_that_does_not_run_it() {
        Node a = lanes("a");
        a.start();
        leases.answersLost = true;
        platform.pass(Duration.ofMillis(500));
        Node b = lanes("b");
        b.start();
        platform.pass(Duration.ofMillis(600));
        leases.answersLost = false;
        platform.pass(Duration.ofSeconds(20));

        assertThat(a.running.size() + b.running.size()).isEqualTo(LANES.size());
        assertThat(a.running).isNotEmpty();
        assertThat(b.running).isNotEmpty();
    }

    @Test
    void a_survey_that_took_long_to_come_back_kills_nobody() {
        Node a = lanes("a");
        Node b = lanes("b");
        a.start();
        b.start();
        platform.pass(Duration.ofSeconds(6));
        Map<String, Lease> before = Map.copyOf(b.running);
        leases.duringSurvey = () -> {
            leases.duringSurvey = () -> {};
            platform.freeze(Duration.ofSeconds(9));
            leases.beat(b.membership.node().getAsLong());
        };

        a.reconcile();

        assertThat(before)
                .allSatisfy(
                        (resource, lease) -> assertThat(leases.token(resource)).isEqualTo(lease.token()));
    }

    @Test
    void a_node_that_was_removed_joins_again_under_another_number() {
        Node a = lanes("a");
        a.start();
        platform.pass(Duration.ofSeconds(3));
        long first = a.membership.node().getAsLong();
        leases.remove(first);

        platform.pass(Duration.ofSeconds(6));

        assertThat(a.membership.node().getAsLong()).isGreaterThan(first);
        assertThat(a.running.keySet()).containsExactlyElementsOf(LANES);
        assertThat(a.running.values()).allMatch(lease -> lease.node() > first && a.reconciler.holds(lease));
    }

    @Test
    void a_node_that_leaves_gives_back_at_once_and_others_need_not_wait() {
        Node a = lanes("a");
        Node b = lanes("b");
        a.start();
        b.start();
        platform.pass(Duration.ofSeconds(6));

        assertThat(a.reconciling.stop()).isCompleted();
        assertThat(a.reconciler.stopAll()).isNotNull();
        platform.settle();
        a.reconciler.releaseAll();
        assertThat(a.heartbeat.stop()).isCompleted();
        a.membership.leave();
        platform.pass(Duration.ofSeconds(1));

        assertThat(b.running.keySet()).containsExactlyElementsOf(LANES);
        assertThat(a.running).isEmpty();
        assertThat(leases.survey().nodes()).hasSize(1);
    }

    private void passCheckingThatNothingRunsTwice(Duration time, Node a, Node b) {
        for (int i = 0; i < 600; i++) {
            platform.pass(time.dividedBy(600));
            assertThat(Collections.disjoint(a.running.keySet(), b.running.keySet()))
                    .isTrue();
        }
    }

    private Node lanes(String name) {
        Map<String, String> all = new HashMap<>();
        LANES.forEach(lane -> all.put(lane, ""));
        return new Node(name, Set.of(), all);
    }

    private static Map<String, Job> jobs(Map<String, String> children) {
        Map<String, Job> jobs = new HashMap<>();
        children.forEach((resource, child) -> jobs.put(resource, new Job(child, "first")));
        return jobs;
    }

    @Test
    void a_child_that_is_detached_is_stopped_and_not_called_lost() {
        Node alone = new Node("a", Set.of("search"), Map.of("lane/0", "", "child/search/0", "search"));
        alone.start();
        platform.pass(Duration.ofSeconds(2));
        leases.raise("child/search/0");
        alone.all = jobs(Map.of("lane/0", ""));
        alone.events.clear();
        platform.pass(Duration.ofSeconds(2));

        assertThat(alone.running.keySet()).containsExactly("lane/0");
        assertThat(alone.events).containsExactly("released child/search/0");
    }

    @Test
    void a_child_that_is_attached_again_is_begun_anew_after_the_old_one_has_ended() {
        Node alone = new Node("a", Set.of("search"), Map.of("child/search/0", "search"));
        alone.start();
        platform.pass(Duration.ofSeconds(2));
        alone.blocked = true;
        alone.signalAll();
        leases.raise("child/search/0");
        alone.all = Map.of("child/search/0", new Job("search", "second"));
        platform.pass(Duration.ofSeconds(5));
        long old = alone.running.get("child/search/0").token();

        alone.blocked = false;
        alone.endSteps();
        platform.pass(Duration.ofSeconds(2));

        assertThat(alone.running.get("child/search/0").token()).isGreaterThan(old + 1);
        assertThat(alone.events).doesNotContain("lost child/search/0");
    }

    @Test
    void every_thirtieth_pass_sweeps() {
        Node alone = lanes("a");
        alone.start();
        platform.pass(Duration.ofSeconds(95));

        assertThat(alone.sweeps).isEqualTo(3);
    }

    /** What a process runs, with workers that do nothing, or never end. */
    private final class Node implements Reconciler.Jobs, FanoutListener {

        private Map<String, Job> all;
        private int sweeps;
        private final Map<String, Lease> running = new TreeMap<>();
        private final List<Activity> activities = new ArrayList<>();
        private final List<String> events = new ArrayList<>();
        private final Membership membership;
        private final Reconciler reconciler;
        private final Activity heartbeat;
        private final Activity reconciling;
        private final HandPlatform steps = new HandPlatform(platform);
        private boolean blocked;

        Node(String name, Set<String> children, Map<String, String> all) {
            this.all = jobs(all);
            membership = new Membership(leases, settings, platform, name, () -> children);
            reconciler = new Reconciler(leases, membership, this, settings, platform, this, this::soon);
            Outages outages = outages();
            heartbeat = new Activity(platform, membership, outages);
            reconciling = new Activity(platform, reconciler, outages);
        }

        private Outages outages() {
            return new Outages(new Backoff(platform, Duration.ofMillis(200), Duration.ofSeconds(5)), this);
        }

        void start() {
            membership.onJoined(this::soon);
            heartbeat.signal();
        }

        void reconcile() {
            reconciler.step();
        }

        /** As a killed process: nothing is given back. */
        void die() {
            assertThat(heartbeat.stop()).isCompleted();
            assertThat(reconciling.stop()).isCompleted();
            running.clear();
        }

        void signalAll() {
            activities.forEach(Activity::signal);
        }

        void endSteps() {
            steps.runHeld();
        }

        private void soon() {
            reconciling.signal();
        }

        @Override
        public Map<String, Job> all() {
            return all;
        }

        @Override
        public Activity begin(Lease lease) {
            running.put(lease.resource(), lease);
            steps.held = () -> blocked;
            Activity activity = new Activity(steps, new Still(lease.resource()), outages());
            activities.add(activity);
            return activity;
        }

        @Override
        public void ended(Lease lease) {
            running.remove(lease.resource());
        }

        @Override
        public void saw(Survey survey, boolean othersAlive) {}

        @Override
        public void sweep() {
            sweeps++;
        }

        @Override
        public void leaseTaken(String resource, long token) {
            events.add("taken " + resource + " " + token);
        }

        @Override
        public void leaseReleased(String resource) {
            events.add("released " + resource);
        }

        @Override
        public void leaseLost(String resource) {
            events.add("lost " + resource);
        }
    }

    private record Still(String name) implements Worker {

        @Override
        public Next step() {
            return Next.ON_SIGNAL;
        }
    }
}
