// SPDX-License-Identifier: Apache-2.0
package dev.fanout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class SettingsTest {

    @Test
    void each_wither_changes_its_own_number_and_no_other() throws Exception {
        Settings defaults = Settings.defaults();
        List<Method> getters = Arrays.stream(Settings.class.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !Modifier.isStatic(method.getModifiers()))
                .filter(method -> method.getParameterCount() == 0)
                .toList();
        assertThat(getters).hasSizeGreaterThan(15);
        for (Method getter : getters) {
            Object other = other(getter.invoke(defaults));
            Method setter = Settings.class.getMethod(getter.getName(), getter.getReturnType());
            Settings changed = (Settings) setter.invoke(defaults, other);

            for (Method one : getters) {
                Object expected = one.equals(getter) ? other : one.invoke(defaults);
                assertThat(one.invoke(changed)).as(one.getName()).isEqualTo(expected);
            }
        }
    }

    private static Object other(Object value) {
        if (value instanceof Duration duration) {
            return duration.plusMillis(1);
        }
        if (value instanceof Long number) {
            return number + 1;
        }
        return value instanceof Integer number ? number + 1 : WakeMode.NEVER;
    }

    @Test
    void nothing_may_be_zero_but_the_linger() {
        Settings defaults = Settings.defaults();

        assertThat(defaults.linger(Duration.ZERO).linger()).isZero();
        for (Runnable use : Arrays.<Runnable>asList(
                () -> defaults.linger(Duration.ofMillis(-1)),
                () -> defaults.pollInterval(Duration.ZERO),
                () -> defaults.awakeFor(Duration.ZERO),
                () -> defaults.reconcileInterval(Duration.ZERO),
                () -> defaults.heartbeatInterval(Duration.ZERO),
                () -> defaults.retryBackoff(Duration.ZERO),
                () -> defaults.retryBackoffCap(Duration.ofSeconds(-1)),
                () -> defaults.slabRecords(0),
                () -> defaults.slabBytes(0),
                () -> defaults.payloadBytes(-1))) {
            assertThatIllegalArgumentException().isThrownBy(use::run).withMessageContaining("use ");
        }
    }

    @Test
    void no_duration_is_longer_than_nanoseconds_can_count() {
        Settings defaults = Settings.defaults();
        for (Duration endless : List.of(ChronoUnit.FOREVER.getDuration(), Duration.ofDays(200_000))) {
            for (Runnable use : Arrays.<Runnable>asList(
                    () -> defaults.linger(endless),
                    () -> defaults.pollInterval(endless),
                    () -> defaults.leaseLength(endless),
                    () -> defaults.heartbeatInterval(endless),
                    () -> defaults.retryBackoffCap(endless))) {
                assertThatIllegalArgumentException().isThrownBy(use::run).withMessageContaining("at most 365 days");
            }
        }
    }

    @Test
    void a_lease_that_one_lost_heartbeat_would_cost_is_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Settings.defaults().leaseLength(Duration.ofSeconds(5)))
                .withMessageContaining("three heartbeats");
    }
}
