/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The walks of docs/HACKING.md lead through classes that there are, and are no longer than it says. */
class FindYourWayTest {
    private static final Pattern CLASS = Pattern.compile("`([A-Z]\\w+)[.`]");
    private static final Pattern STATION = Pattern.compile("(?m)^\\d+\\. `(\\w+)");

    private static String walk(String title) throws IOException {
        String page = Files.readString(Path.of("..", "docs", "HACKING.md"));
        int begin = page.indexOf("### " + title);
        assertThat(begin).as("the walk '%s'", title).isPositive();
        int end = page.indexOf("\n#", begin + 4);
        return page.substring(begin, end < 0 ? page.length() : end);
    }

    private static Set<String> found(Pattern pattern, String text) {
        Set<String> names = new LinkedHashSet<>();
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            names.add(matcher.group(1));
        }
        return names;
    }

    @Test
    void eachWalkNamesClassesThatThereAre() throws IOException {
        Set<String> there = new TreeSet<>();
        for (String module : List.of("cassandra-patch", "middleware", "transactions")) {
            try (Stream<Path> files = Files.walk(Path.of("..", module, "src", "main", "java"))) {
                files.map(file -> file.getFileName().toString())
                        .filter(name -> name.endsWith(".java"))
                        .forEach(name -> there.add(name.substring(0, name.length() - ".java".length())));
            }
        }
        for (String title : List.of("A SELECT", "An INSERT", "A status message", "A transaction")) {
            assertThat(there).as(title).containsAll(found(CLASS, walk(title)));
        }
    }

    @Test
    void aSelectPassesTwelveClassesAtMostAndAnInsertTen() throws IOException {
        assertThat(found(STATION, walk("A SELECT"))).hasSizeBetween(8, 12).contains("FrontDoor", "LocalFetch");
        assertThat(found(STATION, walk("An INSERT"))).hasSizeBetween(5, 10).contains("FrontDoor", "WriteHandler");
    }
}
