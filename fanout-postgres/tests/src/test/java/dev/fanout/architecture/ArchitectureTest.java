// SPDX-License-Identifier: Apache-2.0
package dev.fanout.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitCallTarget;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.fanout.Fanout;
import dev.fanout.postgres.PostgresStore;
import java.time.Clock;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/** What the layout of the house promises (docs/architecture.md), over the main classes of all modules. */
@AnalyzeClasses(packages = "dev.fanout", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    private static final String[] CORE = {"dev.fanout", "dev.fanout.spi", "dev.fanout.internal.."};
    private static final Set<String> CLOCKS = Set.of("nanoTime", "currentTimeMillis", "now");
    private static final List<String> TIMES = List.of("java.lang.System", "java.time.");

    @ArchTest
    static final ArchRule core_knows_no_database = noClasses()
            .that()
            .resideInAnyPackage(CORE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.sql..", "javax.sql..", "org.postgresql..", "com.zaxxer..", "org.flywaydb..");

    @ArchTest
    static final ArchRule core_knows_no_store = noClasses()
            .that()
            .resideInAnyPackage(CORE)
            .should()
            .dependOnClassesThat(resideInAPackage("dev.fanout..").and(resideOutsideOfPackages(CORE)));

    @ArchTest
    static final ArchRule core_reads_no_clock = noClasses()
            .that()
            .resideInAnyPackage(CORE)
            .should()
            .callMethodWhere(callTo(
                    "a clock",
                    (owner, method) -> CLOCKS.contains(method) && TIMES.stream().anyMatch(owner::startsWith)))
            .orShould()
            .dependOnClassesThat(belongToAnyOf(Clock.class));

    @ArchTest
    static final ArchRule core_starts_no_thread_and_makes_nobody_wait = noClasses()
            .that()
            .resideInAnyPackage(CORE)
            .should()
            .dependOnClassesThat(
                    belongToAnyOf(Executors.class, ForkJoinPool.class, LockSupport.class, java.util.Timer.class)
                            .or(nameMatching("java\\.util\\.concurrent\\..*(Executor|ExecutorService)")))
            .orShould()
            .callConstructorWhere(callTo("a new thread", (owner, method) -> owner.equals("java.lang.Thread")))
            .orShould()
            .callMethodWhere(callTo(
                    "a thread of its own",
                    (owner, method) -> owner.equals("java.lang.Thread")
                            && Set.of("sleep", "start", "startVirtualThread", "ofVirtual", "ofPlatform")
                                    .contains(method)))
            .orShould()
            .callMethodWhere(callTo(
                    "the common pool",
                    (owner, method) -> owner.equals(CompletableFuture.class.getName())
                            && (method.endsWith("Async")
                                    || method.endsWith("OnTimeout")
                                    || method.equals("orTimeout")
                                    || method.equals("delayedExecutor"))));

    @ArchTest
    static final ArchRule core_has_no_randomness = noClasses()
            .that()
            .resideInAnyPackage(CORE)
            .should()
            .dependOnClassesThat(belongToAnyOf(Random.class, ThreadLocalRandom.class)
                    .or(nameMatching("java\\.security\\.SecureRandom|java\\.util\\.random\\..*")))
            .orShould()
            .callMethodWhere(callTo(
                    "randomness",
                    (owner, method) -> (owner.equals(UUID.class.getName()) && method.equals("randomUUID"))
                            || (owner.equals("java.lang.Math") && method.equals("random"))));

    @ArchTest
    static final ArchRule the_engine_is_reached_through_the_api_and_the_spi_only = noClasses()
            .that(not(resideInAnyPackage("dev.fanout.internal..")).and(not(isFanout())))
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.fanout.internal..");

    @ArchTest
    static final ArchRule the_insides_of_the_store_are_its_own = noClasses()
            .that()
            .resideOutsideOfPackage("dev.fanout.postgres..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.fanout.postgres.internal..");

    @ArchTest
    static final ArchRule the_insides_of_the_testkit_are_its_own = noClasses()
            .that()
            .resideOutsideOfPackage("dev.fanout.testkit..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.fanout.testkit.internal..");

    @ArchTest
    static final ArchRule the_nouns_of_the_api_see_nothing_but_each_other = noClasses()
            .that(resideInAPackage("dev.fanout").and(not(isFanout())))
            .should()
            .dependOnClassesThat(resideInAPackage("dev.fanout..").and(not(resideInAPackage("dev.fanout"))));

    @ArchTest
    static final ArchRule the_spi_sees_the_api_and_itself = noClasses()
            .that()
            .resideInAPackage("dev.fanout.spi")
            .should()
            .dependOnClassesThat(
                    resideInAPackage("dev.fanout..").and(not(resideInAnyPackage("dev.fanout", "dev.fanout.spi"))));

    @ArchTest
    static final ArchRule packages_of_the_engine_form_no_cycle =
            slices().matching("dev.fanout.internal.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule the_store_is_put_together_in_one_place = noClasses()
            .that(resideInAPackage("dev.fanout.postgres").and(not(belongToAnyOf(PostgresStore.class))))
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.fanout.postgres.internal..");

    @ArchTest
    static final ArchRule the_insides_of_the_store_do_not_know_who_puts_it_together = noClasses()
            .that()
            .resideInAPackage("dev.fanout.postgres.internal..")
            .should()
            .dependOnClassesThat(belongToAnyOf(PostgresStore.class));

    @ArchTest
    static final ArchRule the_packages_of_the_testkit_do_not_know_its_front = noClasses()
            .that()
            .resideInAPackage("dev.fanout.testkit.*..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.fanout.testkit");

    @ArchTest
    static final ArchRule packages_of_the_testkit_form_no_cycle =
            slices().matching("dev.fanout.testkit.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule an_exception_that_others_can_see_is_one_of_ours = classes()
            .that()
            .arePublic()
            .and()
            .areAssignableTo(RuntimeException.class)
            .and()
            .resideInAnyPackage("dev.fanout", "dev.fanout.spi", "dev.fanout.postgres..")
            .should()
            .beAssignableTo("dev.fanout.FanoutException");

    private static DescribedPredicate<JavaClass> isFanout() {
        return belongToAnyOf(Fanout.class).as("the one place where API and engine meet");
    }

    private static DescribedPredicate<JavaCall<?>> callTo(String what, Call call) {
        return DescribedPredicate.describe("reaches " + what, one -> {
            CodeUnitCallTarget target = one.getTarget();
            return call.is(target.getOwner().getName(), target.getName());
        });
    }

    /** Tells calls apart. */
    private interface Call {
        boolean is(String owner, String method);
    }
}
