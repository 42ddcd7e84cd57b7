// SPDX-License-Identifier: Apache-2.0
package dev.fanout.examples.jdkcatalog;

import dev.fanout.Event;
import dev.fanout.Outcome;
import dev.fanout.Projection;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ReferenceManager.RefreshListener;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.NRTCachingDirectory;
import org.jspecify.annotations.Nullable;

/**
 * A full-text index on disk, which gates itself: each document holds the {@link Event#gateVersion()} that it was made
 * of, and a write that is not newer is refused by looking it up in the index itself. However late a write arrives, and
 * whoever sends it, it can't undo a newer one.
 *
 * <p>A retired asset stays as a tombstone, a document that no search finds: without it, a late write would find nothing
 * newer and bring the asset back.
 *
 * <p>One process at a time may write an index on disk. It is opened by the first delivery, so by the process that owns
 * the child; while another still holds it, that delivery fails and is tried again.
 */
final class SearchIndex implements Projection, AutoCloseable {

    private final Path path;
    private final Object refreshed = new Object();
    private volatile @Nullable Session session;

    SearchIndex(Path path) {
        this.path = path;
    }

    /** What searches found. */
    record Found(long total, List<String> first) {}

    @Override
    public Outcome apply(Event event) throws IOException {
        return apply(List.of(event)).get(0);
    }

    @Override
    public List<Outcome> apply(List<Event> slab) throws IOException {
        Session index = open();
        List<Outcome> outcomes;
        // between the look-up and the write nobody else may write
        synchronized (this) {
            outcomes = write(slab, index);
            index.searchers().maybeRefreshBlocking();
        }
        // MUST come before the answer: what is acknowledged is not delivered again, even after a crash
        index.commits().commit();
        return outcomes;
    }

    @Override
    public synchronized void reset() throws IOException {
        Session index = open();
        index.writer().deleteAll();
        index.writer().commit();
        index.searchers().maybeRefreshBlocking();
    }

    /** Counts what matches, and lists the best. */
    Found search(Query query, int limit) throws IOException {
        return open().searching(searcher -> {
            TopDocs found = searcher.search(query, limit);
            List<String> first = new ArrayList<>();
            for (ScoreDoc hit : found.scoreDocs) {
                first.add(AssetDocument.line(searcher.storedFields().document(hit.doc)));
            }
            return new Found(searcher.count(query), first);
        });
    }

    /** The version that searches find, 0 for none. */
    long versionOf(String id) throws IOException {
        return open().searching(searcher -> versionOf(id, searcher));
    }

    /** Waits until searches find a version, or a newer one. */
    boolean awaitSearchable(String id, long version, Duration limit) throws IOException, InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        synchronized (refreshed) {
            while (versionOf(id) < version) {
                long left = end - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                TimeUnit.NANOSECONDS.timedWait(refreshed, left);
            }
            return true;
        }
    }

    /** Gives the index free for other processes; a later delivery opens it again. */
    @Override
    public synchronized void close() throws IOException {
        Session current = session;
        if (current != null) {
            session = null;
            current.searchers().close();
            current.writer().close();
        }
    }

    private static List<Outcome> write(List<Event> slab, Session index) throws IOException {
        return index.searching(searcher -> {
            Map<String, Long> written = new HashMap<>();
            List<Outcome> outcomes = new ArrayList<>();
            for (Event event : slab) {
                String id = event.entity().id();
                long held = written.containsKey(id) ? written.get(id) : versionOf(id, searcher);
                if (event.gateVersion() > held) {
                    index.writer().updateDocument(AssetDocument.key(id), AssetDocument.of(event));
                    written.put(id, event.gateVersion());
                }
                outcomes.add(outcome(event, held));
            }
            return outcomes;
        });
    }

    private static Outcome outcome(Event event, long held) {
        return event.gateVersion() >= held ? Outcome.applied() : Outcome.skip("the index holds version " + held);
    }

    private static long versionOf(String id, IndexSearcher searcher) throws IOException {
        TopDocs found = searcher.search(new TermQuery(AssetDocument.key(id)), 1);
        return found.scoreDocs.length == 0
                ? 0
                : AssetDocument.version(searcher.storedFields().document(found.scoreDocs[0].doc));
    }

    private Session open() throws IOException {
        Session current = session;
        return current != null ? current : openNow();
    }

    private synchronized Session openNow() throws IOException {
        Session current = session;
        if (current == null) {
            current = Session.open(path, new Refreshed());
            session = current;
        }
        return current;
    }

    /** Lucene's own word on what searches find from now on. */
    private final class Refreshed implements RefreshListener {

        @Override
        public void beforeRefresh() {}

        @Override
        public void afterRefresh(boolean changed) {
            synchronized (refreshed) {
                refreshed.notifyAll();
            }
        }
    }

    /** An index held open. */
    private record Session(IndexWriter writer, SearcherManager searchers, SharedCommit commits) {

        interface Search<R> {
            R with(IndexSearcher searcher) throws IOException;
        }

        static Session open(Path path, RefreshListener listener) throws IOException {
            // what a refresh needs stays in memory until a commit writes it
            Directory directory = new NRTCachingDirectory(FSDirectory.open(path), 5, 60);
            IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(AssetDocument.ANALYZER));
            SearcherManager searchers = new SearcherManager(writer, null);
            searchers.addListener(listener);
            return new Session(writer, searchers, new SharedCommit(writer::commit));
        }

        <R> R searching(Search<R> search) throws IOException {
            IndexSearcher searcher = searchers.acquire();
            try {
                return search.with(searcher);
            } finally {
                searchers.release(searcher);
            }
        }
    }
}
