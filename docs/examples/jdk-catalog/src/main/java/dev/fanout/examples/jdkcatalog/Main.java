// SPDX-License-Identifier: Apache-2.0
package dev.fanout.examples.jdkcatalog;

import java.time.Duration;

/** Runs the example from start to end; the exit code is 0 only if every claim holds. */
public final class Main {

    private Main() {}

    /**
     * Runs it.
     *
     * @param args none
     */
    public static void main(String[] args) {
        long begun = System.nanoTime();
        Report report = new Report(System.out);
        try (Workspace workspace = Workspace.open()) {
            new Tour(workspace.dataSource(), workspace.index(), report, Tour.Scale.whole()).run(workspace);
        } catch (Exception | AssertionError failure) {
            report.failed(failure);
        }
        report.end(Duration.ofNanos(System.nanoTime() - begun));
        System.exit(report.holds() ? 0 : 1);
    }
}
