/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.memory;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every field in which something can pile up stands in docs/MEMORY.md, with its bound and what happens there. */
final class MemoryInventoryTest {
    /** The first cell of a row of a table. */
    private static final Pattern ROW = Pattern.compile("(?m)^\\|([^|]*`[^|]*)\\|");

    private static final Pattern NAME = Pattern.compile("`((?:[a-z]+\\.)+[A-Z][\\w.]*)`");

    private static final Path INVENTORY = Path.of("..", "docs", "MEMORY.md");

    private static final List<JavaClass> PRODUCT = product();

    private static List<JavaClass> product() {
        List<JavaClass> classes = new ArrayList<>();
        new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages(
                        "org.meteorshower.protocol",
                        "org.meteorshower.runtime",
                        "org.meteorshower.atrest",
                        "org.meteorshower.driver",
                        "org.meteorshower.onlinecheck",
                        "org.meteorshower.transport",
                        "org.meteorshower.wan",
                        "org.meteorshower.transactions",
                        "org.meteorshower.cassandra")
                .forEach(classes::add);
        return classes;
    }

    private static Set<String> named() throws IOException {
        Set<String> named = new TreeSet<>();
        Matcher row = ROW.matcher(Files.readString(INVENTORY));
        while (row.find()) {
            Matcher name = NAME.matcher(row.group(1));
            while (name.find()) {
                assertThat(named.add(name.group(1)))
                        .as("%s stands there twice", name.group(1))
                        .isTrue();
            }
        }
        return named;
    }

    @Test
    void theInventoryIsThatOfTheCode() throws IOException {
        Map<String, Set<String>> fields = HeldFields.of(PRODUCT);

        assertThat(fields).hasSizeGreaterThan(80).containsKeys("protocol.StatusMap", "transport.PeerLink");
        assertThat(HeldFields.difference(fields, named()))
                .as("docs/MEMORY.md: add a row with unit, bound, and what happens there; or take one out")
                .isEmpty();
    }

    /** What somebody adds without a thought. */
    static final class Seeded {
        final Map<String, byte[]> growing = new HashMap<>();
        static final List<Object> KEPT = new ArrayList<>();
        byte[] buffer = {};
        int harmless;
    }

    record Passing(List<String> names) {}

    @Test
    void aFieldThatIsAddedIsFound() throws IOException {
        List<JavaClass> more = new ArrayList<>(PRODUCT);
        new ClassFileImporter().importClasses(Seeded.class, Passing.class).forEach(more::add);

        assertThat(HeldFields.difference(HeldFields.of(more), named()))
                .containsExactly(
                        "cassandra.memory.MemoryInventoryTest.Seeded.KEPT is not in the inventory",
                        "cassandra.memory.MemoryInventoryTest.Seeded.buffer is not in the inventory",
                        "cassandra.memory.MemoryInventoryTest.Seeded.growing is not in the inventory");
    }

    @Test
    void aRowWithoutAFieldIsFound() throws IOException {
        Set<String> named = named();
        named.add("transport.PeerLink.gone");

        assertThat(HeldFields.difference(HeldFields.of(PRODUCT), named))
                .containsExactly("transport.PeerLink.gone is in the inventory, and not in the code");
    }
}
