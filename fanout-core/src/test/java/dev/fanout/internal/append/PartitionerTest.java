// SPDX-License-Identifier: Apache-2.0
package dev.fanout.internal.append;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.EntityRef;
import dev.fanout.StreamSpec;
import dev.fanout.internal.Randomly;
import dev.fanout.spi.Layout;
import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PartitionerTest {

    /** Computed apart from the code. They MUST never change: a change would put one entity in two partitions. */
    @ParameterizedTest(name = "{0}/{1}/{2}")
    @CsvSource({
        "default, asset, 1,        1023bae1254e9255",
        "default, asset, pump-7,   310eecbdd84a1913",
        "default, asset, Größe-☃,  1a5fd5d61112032b",
        "t1,      order, 😀,       546189eaeee3160d",
        "a,       b,     c,        b34961bb0924e952"
    })
    void the_hash_is_fixed_for_ever(String tenant, String type, String id, String hex) {
        assertThat(Long.toHexString(Partitioner.hash(new EntityRef(tenant, type, id))))
                .isEqualTo(hex);
    }

    @Test
    void parts_do_not_run_into_each_other() {
        assertThat(Partitioner.hash(new EntityRef("ab", "c", "d")))
                .isNotEqualTo(Partitioner.hash(new EntityRef("a", "bc", "d")));
        assertThat(Partitioner.hash(new EntityRef("a", "bc", "d")))
                .isNotEqualTo(Partitioner.hash(new EntityRef("a", "b", "cd")));
    }

    @Test
    void entities_spread_evenly() {
        for (int partitions : new int[] {2, 3, 4, 7, 16, 64}) {
            int[] counts = new int[partitions];
            for (int i = 0; i < 1_000 * partitions; i++) {
                counts[Partitioner.partition(EntityRef.of("asset", Integer.toString(i)), partitions)]++;
            }
            assertThat(IntStream.of(counts)).as("%d partitions", partitions).allMatch(n -> n > 850 && n < 1_150);
        }
    }

    @Test
    void a_partition_is_in_range_and_the_same_each_time() {
        Randomly.times(1_000, random -> {
            EntityRef entity = EntityRef.of("asset", letters(random));
            int partitions = Randomly.between(random, 1, 1024);

            assertThat(Partitioner.partition(entity, partitions))
                    .isBetween(0, partitions - 1)
                    .isEqualTo(Partitioner.partition(entity, partitions));
        });
    }

    private static String letters(Random random) {
        return random.ints(Randomly.between(random, 1, 30), 'A', 'z' + 1)
                .filter(Character::isLetter)
                .collect(() -> new StringBuilder("x"), StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /** Computed apart from the code, like those above. */
    @ParameterizedTest(name = "{0}")
    @CsvSource({"default, d47084e0f7c5d5ad", "t1, 51bedeb748030edd", "Größe-☃, bfc0c42cfd15adbf"})
    void the_hash_of_a_tenant_is_fixed_for_ever(String tenant, String hex) {
        assertThat(Long.toHexString(Partitioner.hash(tenant))).isEqualTo(hex);
    }

    @Test
    void by_tenant_neither_type_nor_id_matters() {
        Layout.Stream stream =
                new Layout.Stream(1, "archive", Set.of(), 7, 0, StreamSpec.Partitioner.TENANT, Duration.ofDays(7));
        for (int tenant = 0; tenant < 100; tenant++) {
            int expected = Partitioner.partition(new EntityRef("t" + tenant, "asset", "1"), stream);
            for (int id = 0; id < 20; id++) {
                assertThat(Partitioner.partition(new EntityRef("t" + tenant, "order", "e" + id), stream))
                        .isEqualTo(expected);
            }
        }
    }
}
