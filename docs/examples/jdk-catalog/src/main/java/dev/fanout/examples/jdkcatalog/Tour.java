// SPDX-License-Identifier: Apache-2.0
package dev.fanout.examples.jdkcatalog;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import javax.sql.DataSource;

/** The example, step by step; each step ends with claims about what it did. */
final class Tour {

    private static final int LOADERS = 4;
    private static final int BATCH = 250;
    private static final int WRITERS = 8;

    private final DataSource dataSource;
    private final Path index;
    private final Report report;
    private final Scale scale;
    private final Checks checks;

    /**
     * How much of everything.
     *
     * @param modules which modules of the JDK
     * @param updates how many paced updates
     * @param pace the time between two of them
     * @param hot how many assets are fought over
     * @param changesEach how many changes each writer makes
     * @param batch how many assets are in each batch of the take-over
     * @param changed how many assets are changed for the children of the next release
     */
    record Scale(
            Predicate<String> modules, int updates, Duration pace, int hot, int changesEach, int batch, int changed) {

        static Scale whole() {
            return new Scale(module -> true, 500, Duration.ofMillis(20), 50, 250, 400, 200);
        }
    }

    /** A search: words, and a kind or nothing. */
    private record Search(String kind, List<String> words) {

        @Override
        public String toString() {
            return String.join(" + ", words) + (kind.isEmpty() ? "" : ", " + kind);
        }
    }

    private static final List<Search> SEARCHES = List.of(
            new Search("", List.of("Concurrent", "Map")),
            new Search("interface", List.of("Channel")),
            new Search("class", List.of("Certificate", "Exception")));

    Tour(DataSource dataSource, Path index, Report report, Scale scale) {
        this.dataSource = dataSource;
        this.index = index;
        this.report = report;
        this.scale = scale;
        this.checks = new Checks(dataSource, index, report);
    }

    /** All of it. */
    void run(Workspace workspace) throws Exception {
        List<String> ids = workAlone();
        try (Node here = Node.build("here", dataSource, index)) {
            killAnother(here, workspace, ids);
        }
        release(ids);
    }

    /** What needs no other JVM. */
    void runAlone() throws Exception {
        release(workAlone());
    }

    /** The first release; answers the ids that nothing has happened to yet. */
    private List<String> workAlone() throws Exception {
        Workspace.createTables(dataSource);
        List<Asset> classes = read();
        List<String> ids = shuffled(classes);
        try (Node here = Node.build("here", dataSource, index).start()) {
            load(here, classes);
            search(here);
            measure(here, deal(ids, scale.updates()));
            fight(here, deal(ids, scale.hot()));
        }
        return ids;
    }

    private List<Asset> read() throws Exception {
        report.section("1. Every class of JDK " + Runtime.version() + " is an asset");
        Catalogue catalogue = Catalogue.find(scale.modules());
        try (Progress progress = Progress.of("read from jrt:/", catalogue.size(), report.out())) {
            return catalogue.read(progress);
        }
    }

    private void load(Node here, List<Asset> classes) throws Exception {
        report.section("2. The application writes its rows and appends, " + BATCH + " in a transaction");
        List<List<Asset>> batches = new ArrayList<>();
        for (int from = 0; from < classes.size(); from += BATCH) {
            batches.add(classes.subList(from, Math.min(from + BATCH, classes.size())));
        }
        try (Progress progress = Progress.of("written and appended", classes.size(), report.out())) {
            Parallel.forEach(LOADERS, batches, batch -> {
                here.assets().add(batch);
                progress.add(batch.size());
            });
        }
        awaitDelivered(here, classes.size());
        report.claim("rows of the application, of as many classes", (long) classes.size(), checks.assets());
        checks.storesAgree();
    }

    private void search(Node here) throws Exception {
        report.section("3. The index is searched");
        for (Search search : SEARCHES) {
            SearchIndex.Found found = here.index().search(AssetDocument.query(search.words(), search.kind()), 3);
            report.say("%s", search);
            found.first().forEach(line -> report.say("    %s", line));
            report.claim(
                    "assets found, of as many rows with such names",
                    checks.named(search.words(), search.kind()),
                    found.total());
        }
    }

    private void measure(Node here, List<String> ids) throws Exception {
        report.section("4. " + ids.size() + " updates, one every "
                + scale.pace().toMillis() + " ms, every tenth retires its asset; from commit() returned until");
        try (Freshness freshness = new Freshness(here)) {
            measured(freshness, ids).forEach(report::say);
        }
        here.awaitDelivered();
        checks.storesAgree();
    }

    private List<String> measured(Freshness freshness, List<String> ids) throws Exception {
        try (Progress progress = Progress.of("updates", ids.size(), report.out())) {
            return freshness.measure(ids, scale.pace(), progress);
        }
    }

    private void fight(Node here, List<String> hot) throws Exception {
        report.section("5. " + WRITERS + " writers fight over " + hot.size() + " assets");
        long before = checks.edits();
        int changes = WRITERS * scale.changesEach();
        long conflicts = conflicts(here, hot, changes);
        report.say("conflicts, each rolled back and decided again: %,d", conflicts);
        here.awaitDelivered();
        report.claim("changes that the rows count, of as many made", (long) changes, checks.edits() - before);
        checks.noLostUpdates();
        checks.storesAgree();
    }

    private long conflicts(Node here, List<String> hot, int changes) throws InterruptedException {
        try (Progress progress = Progress.of("changes", changes, report.out())) {
            Writers writers = new Writers(here.assets(), hot, progress);
            writers.fight(WRITERS, scale.changesEach());
            return writers.conflicts();
        }
    }

    private void killAnother(Node here, Workspace workspace, List<String> ids) throws Exception {
        report.section("6. Another JVM takes the work, and is killed with a batch in flight");
        new TakeOver(here, checks, report).run(workspace, deal(ids, scale.batch()), deal(ids, scale.batch()));
    }

    private void release(List<String> ids) throws Exception {
        List<String> changed = deal(ids, scale.changed());
        String refused = changed.get(0);
        BrokenTrail broken = new BrokenTrail(Node.BROKEN, refused);
        report.section("7. The next release declares a child stream, a child that waits " + Node.DELAY.toSeconds()
                + " s, and one that refuses " + refused);
        try (Node next = Node.buildNext("next", dataSource, index, broken)) {
            new NextRelease(next, broken, checks, report).run(changed, refused);
            account(next);
        }
    }

    private void account(Node here) throws Exception {
        report.section("8. In the end");
        checks.noLostUpdates();
        checks.storesAgree();
        report.table(here.fanout().status());
    }

    private void awaitDelivered(Node here, long total) throws Exception {
        Deliveries deliveries = here.deliveries();
        Progress progress = Progress.of(
                "in both derived stores",
                total,
                report.out(),
                () -> Math.min(deliveries.of(Node.SEARCH), deliveries.of(Node.PACKAGES)));
        try {
            here.awaitDelivered();
        } finally {
            progress.close();
        }
    }

    private static List<String> shuffled(List<Asset> classes) {
        List<String> ids = new ArrayList<>(classes.stream().map(Asset::id).toList());
        Collections.shuffle(ids, new Random(1));
        return ids;
    }

    /** Takes so many off the end. */
    private static List<String> deal(List<String> ids, int count) {
        List<String> end = ids.subList(ids.size() - count, ids.size());
        List<String> dealt = List.copyOf(end);
        end.clear();
        return dealt;
    }
}
