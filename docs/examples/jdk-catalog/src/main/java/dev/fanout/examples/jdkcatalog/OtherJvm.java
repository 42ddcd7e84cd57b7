// SPDX-License-Identifier: Apache-2.0
package dev.fanout.examples.jdkcatalog;

import com.zaxxer.hikari.HikariDataSource;
import dev.fanout.Event;
import dev.fanout.Fanout;
import dev.fanout.FanoutListener;
import dev.fanout.Outcome;
import dev.fanout.Projection;
import dev.fanout.TransactionalProjection;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The JVM that will be killed: the same engine in another process. It prints what it owns. Told to hold, it does the work
 * of the next batches but never answers, and prints that it stands there.
 */
public final class OtherJvm {

    private volatile boolean holding;
    private final AtomicInteger leases = new AtomicInteger();
    private final ConcurrentHashMap<String, Integer> inFlight = new ConcurrentHashMap<>();

    private OtherJvm() {}

    /**
     * Runs until it is killed, or until its standard input ends.
     *
     * @param args the JDBC URL, the user and the directory of the index
     * @throws Exception if it can't start
     */
    public static void main(String[] args) throws Exception {
        new OtherJvm().run(args[0], args[1], Path.of(args[2]));
    }

    private void run(String url, String user, Path indexPath) throws Exception {
        try (HikariDataSource dataSource = Workspace.pool(url, user);
                SearchIndex index = new SearchIndex(indexPath);
                Fanout<Connection> fanout =
                        Node.declare("other", dataSource, holding(index), holding(new PackageTable()), new Leases())) {
            fanout.start();
            obey();
        }
    }

    private void obey() throws Exception {
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        while (orders.readLine() != null) {
            holding = true;
            System.out.println("holding");
        }
        // whoever started it is gone, and a held batch would never end
        Runtime.getRuntime().halt(1);
    }

    private final class Leases implements FanoutListener {

        @Override
        public void leaseTaken(String resource, long token) {
            System.out.println("owns " + leases.incrementAndGet());
        }
    }

    private Projection holding(SearchIndex index) {
        return new Projection() {

            @Override
            public Outcome apply(Event event) throws Exception {
                return apply(List.of(event)).get(0);
            }

            @Override
            public List<Outcome> apply(List<Event> slab) throws Exception {
                List<Outcome> outcomes = index.apply(slab);
                holdIfTold(Node.SEARCH, slab);
                return outcomes;
            }
        };
    }

    private TransactionalProjection<Connection> holding(PackageTable table) {
        return new TransactionalProjection<>() {

            @Override
            public Outcome apply(Event event, Connection tx) throws Exception {
                return apply(List.of(event), tx).get(0);
            }

            @Override
            public List<Outcome> apply(List<Event> slab, Connection tx) throws Exception {
                List<Outcome> outcomes = table.apply(slab, tx);
                holdIfTold(Node.PACKAGES, slab);
                return outcomes;
            }
        };
    }

    /** Stands between the effect and the answer, for ever. */
    private void holdIfTold(String child, List<Event> slab) throws InterruptedException {
        if (holding) {
            inFlight.merge(child, slab.size(), Integer::sum);
            if (inFlight.size() == 2) {
                System.out.println("in flight: " + inFlight);
            }
            new CountDownLatch(1).await();
        }
    }
}
