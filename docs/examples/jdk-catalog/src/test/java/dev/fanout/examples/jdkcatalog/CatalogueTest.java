// SPDX-License-Identifier: Apache-2.0
package dev.fanout.examples.jdkcatalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class CatalogueTest {

    private static Map<String, Asset> base;

    @BeforeAll
    static void read() throws IOException {
        Catalogue catalogue = Catalogue.find("java.base"::equals);
        try (Progress progress =
                Progress.of("read", catalogue.size(), new PrintStream(OutputStream.nullOutputStream()))) {
            List<Asset> assets = catalogue.read(progress);
            base = assets.stream().collect(Collectors.toMap(Asset::id, Function.identity()));
        }
    }

    @Test
    void a_class_is_filed_under_module_package_and_name() {
        Asset entry = base.get("java.base/java.util.Map$Entry");

        assertThat(entry.module()).isEqualTo("java.base");
        assertThat(entry.packageName()).isEqualTo("java.util");
        assertThat(entry.name()).isEqualTo("Map$Entry");
        assertThat(entry.size()).isPositive();
    }

    @Test
    void its_kind_is_what_its_class_file_says() {
        assertThat(kind("java.lang.Object")).isEqualTo("class");
        assertThat(kind("java.util.Map")).isEqualTo("interface");
        assertThat(kind("java.lang.Override")).isEqualTo("annotation");
        assertThat(kind("java.util.concurrent.TimeUnit")).isEqualTo("enum");
    }

    @Test
    void a_record_is_told_by_its_parent() throws IOException {
        try (InputStream self = Asset.class.getResourceAsStream("Asset.class")) {
            assertThat(ClassFile.kind(self.readAllBytes())).isEqualTo("record");
        }
    }

    private static String kind(String name) {
        return base.get("java.base/" + name).kind();
    }
}
