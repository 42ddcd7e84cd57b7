// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;
import org.junit.platform.testkit.engine.EventType;

class PostgresExtensionLeakTest {

    private static final Queue<AutoCloseable> LEFT_BEHIND = new ConcurrentLinkedQueue<>();

    @Test
    void a_connection_left_open_fails_the_class_with_its_last_statement() throws Exception {
        assertThat(failuresOf(LeavesAConnection.class))
                .singleElement()
                .asString()
                .contains("connection pid=", "state='idle in transaction'", "SELECT 'left open'");
    }

    @Test
    void a_thread_left_running_fails_the_class_with_its_stack() throws Exception {
        assertThat(failuresOf(LeavesAThread.class))
                .singleElement()
                .asString()
                .contains("thread 'left-running' (WAITING)", "CountDownLatch.await");
    }

    @Test
    void a_daemon_thread_of_the_library_counts_as_left_running() throws Exception {
        assertThat(failuresOf(LeavesAnEngineThread.class))
                .singleElement()
                .asString()
                .contains("thread 'fanout-relay'");
    }

    @Test
    void a_class_that_cleans_up_passes_with_its_pools_closed_for_it() throws Exception {
        assertThat(failuresOf(CleansUp.class)).isEmpty();
    }

    @Test
    void an_extension_in_an_instance_field_is_told_to_be_static() throws Exception {
        assertThat(failuresOf(NotStatic.class)).singleElement().asString().contains("must be static");
    }

    private static List<Throwable> failuresOf(Class<?> testClass) throws Exception {
        try {
            return EngineTestKit.engine("junit-jupiter")
                    .selectors(selectClass(testClass))
                    .execute()
                    .allEvents()
                    .stream()
                    .filter(event -> event.getType() == EventType.FINISHED)
                    .flatMap(event -> failure(event).stream())
                    .toList();
        } finally {
            for (AutoCloseable left = LEFT_BEHIND.poll(); left != null; left = LEFT_BEHIND.poll()) {
                left.close();
            }
        }
    }

    private static Optional<Throwable> failure(Event finished) {
        return finished.getRequiredPayload(TestExecutionResult.class).getThrowable();
    }

    private static void leaveRunning(String name, boolean daemon) {
        CountDownLatch latch = new CountDownLatch(1);
        Thread thread = new Thread(
                () -> {
                    try {
                        latch.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                name);
        thread.setDaemon(daemon);
        thread.start();
        LEFT_BEHIND.add(latch::countDown);
    }

    @FanoutTest
    static class LeavesAConnection {

        @Test
        void leaves(TestDatabase database) throws SQLException {
            Connection connection = database.connect();
            // or the garbage collector finds it, and the driver closes it
            LEFT_BEHIND.add(connection);
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.execute("SELECT 'left open'");
            }
        }
    }

    @FanoutTest
    static class LeavesAThread {

        @Test
        void leaves() {
            leaveRunning("left-running", false);
        }
    }

    @FanoutTest
    static class LeavesAnEngineThread {

        @Test
        void leaves() {
            leaveRunning("fanout-relay", true);
        }
    }

    @FanoutTest
    static class CleansUp {

        @Test
        void uses_a_pool(TestDatabase database) throws SQLException {
            try (Connection connection = database.pool(2).getConnection()) {
                assertThat(connection.isValid(1)).isTrue();
            }
        }
    }

    static class NotStatic {

        @RegisterExtension
        final PostgresExtension postgres = PostgresExtension.create();

        @Test
        void takes_a_database(TestDatabase database) {
            assertThat(database).isNotNull();
        }
    }
}
