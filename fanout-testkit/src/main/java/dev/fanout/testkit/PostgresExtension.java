// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit;

import dev.fanout.Settings;
import dev.fanout.postgres.PostgresStore;
import dev.fanout.spi.Declaration;
import dev.fanout.testkit.internal.ThreadWatch;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * JUnit 5 extension that gives each test class a fresh, migrated database on a real PostgreSQL, and checks that the
 * class leaves nothing behind.
 *
 * <p>Plain use is {@link FanoutTest @FanoutTest}. To migrate another schema, or for durable settings:
 *
 * <pre>{@code
 * @RegisterExtension
 * static final PostgresExtension POSTGRES = PostgresExtension.create()
 *         .migratedBy("shop", dataSource -> Flyway.configure().dataSource(dataSource).load().migrate());
 *
 * @Test
 * void an_order_is_found(TestDatabase database) { ... }
 * }</pre>
 *
 * <p>Constructors and methods of tests may take a {@link TestDatabase}, a {@link DataSource} or a {@link
 * PostgresServer}. The server starts with the first class that needs it and is shared by all classes of the run, see
 * {@link PostgresServer} for where it comes from; the database is a copy of a template migrated once per run, and is
 * shared by the class's methods and nested classes.
 *
 * <p>After the class, its {@code @AfterAll} methods included, the extension fails it if two seconds later a connection
 * to the database is still open (pools made by {@link TestDatabase#pool} are closed by itself), or a thread that was
 * not there before is still alive: any that is not a daemon, and daemons whose name begins with {@code fanout}. Classes
 * that run in parallel can't be told apart by their threads.
 *
 * <p>Immutable; each method that changes something answers a new extension.
 */
public final class PostgresExtension implements BeforeAllCallback, AfterAllCallback, ParameterResolver {

    private static final Namespace NAMESPACE = Namespace.create(PostgresExtension.class);
    private static final Duration GRACE = Duration.ofSeconds(2);

    private final Durability durability;
    private final String template;
    private final Consumer<? super DataSource> migration;

    /** An extension with the schema of {@link PostgresStore}, as {@link FanoutTest} uses it. */
    public PostgresExtension() {
        this(Durability.NONE, "fanout", PostgresExtension::migrate);
    }

    private static void migrate(DataSource dataSource) {
        try (PostgresStore store = PostgresStore.of(dataSource)) {
            store.open(new Declaration(List.of(), List.of(), new PlainCodec(), Settings.defaults()));
        }
    }

    private PostgresExtension(Durability durability, String template, Consumer<? super DataSource> migration) {
        this.durability = durability;
        this.template = template;
        this.migration = migration;
    }

    /**
     * An extension to be registered with {@code @RegisterExtension} in a static field.
     *
     * @return the same as {@link #PostgresExtension()}
     */
    public static PostgresExtension create() {
        return new PostgresExtension();
    }

    /**
     * Chooses what makes the schema.
     *
     * @param name names the result: all classes of the run that use this name share one template, made by the first
     * @param migrate migrates an empty database
     * @return a new extension
     */
    public PostgresExtension migratedBy(String name, Consumer<? super DataSource> migrate) {
        return new PostgresExtension(
                durability, Objects.requireNonNull(name, "name"), Objects.requireNonNull(migrate, "migrate"));
    }

    /**
     * Chooses a server that writes to disk before it acknowledges, as production does.
     *
     * @return a new extension
     */
    public PostgresExtension durable() {
        return new PostgresExtension(Durability.FULL, template, migration);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        Store store = context.getStore(NAMESPACE);
        if (store.get(ClassScope.class, ClassScope.class) != null) {
            return;
        }
        TestDatabase database = template(context).newDatabase();
        store.put(ClassScope.class, new ClassScope(context.getUniqueId(), database, ThreadWatch.begin()));
    }

    @Override
    public void afterAll(ExtensionContext context) {
        ClassScope scope = scope(context);
        if (scope.owner().equals(context.getUniqueId())) {
            scope.end();
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return List.of(TestDatabase.class, DataSource.class, PostgresServer.class)
                .contains(type(parameter));
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        TestDatabase database = scope(context).database();
        if (type(parameter) == TestDatabase.class) {
            return database;
        }
        return type(parameter) == DataSource.class ? database.dataSource() : database.server();
    }

    private static Class<?> type(ParameterContext parameter) {
        return parameter.getParameter().getType();
    }

    private static ClassScope scope(ExtensionContext context) {
        ClassScope scope = context.getStore(NAMESPACE).get(ClassScope.class, ClassScope.class);
        if (scope == null) {
            throw new IllegalStateException(
                    "A PostgresExtension in a field must be static: the database is the class's");
        }
        return scope;
    }

    // The root's store closes what it holds at the end of the run, the last made first: templates before their server.
    private DatabaseTemplate template(ExtensionContext context) {
        Store run = context.getRoot().getStore(NAMESPACE);
        PostgresServer server = run.getOrComputeIfAbsent(
                durability,
                wanted -> wanted == Durability.FULL ? PostgresServer.startDurable() : PostgresServer.start(),
                PostgresServer.class);
        return run.getOrComputeIfAbsent(
                new TemplateKey(durability, template), key -> server.template(migration), DatabaseTemplate.class);
    }

    private record TemplateKey(Durability durability, String name) {}

    private record ClassScope(String owner, TestDatabase database, ThreadWatch threads) {

        void end() {
            database.closePools();
            List<Backend> backends = Databases.backendsAfter(database.server(), database.name(), GRACE);
            List<Thread> left = threads.leftAfter(GRACE);
            database.close();
            if (!backends.isEmpty() || !left.isEmpty()) {
                throw new AssertionError(
                        "The test class left behind:\n" + describe(backends) + ThreadWatch.describe(left));
            }
        }

        private static String describe(List<Backend> backends) {
            return backends.stream().map(each -> "connection " + each + "\n").collect(Collectors.joining());
        }
    }
}
