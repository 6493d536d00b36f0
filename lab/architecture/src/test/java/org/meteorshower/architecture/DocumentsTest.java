/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Documents: links lead somewhere, their anchors too, and prose has no long lines. */
class DocumentsTest {
    private static final int LONGEST_LINE = 120;
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("#+ (.*)");
    private static final Pattern LINKED_TEXT = Pattern.compile("\\[([^\\]]*)\\]\\([^)]*\\)");

    @Test
    void linksLeadSomewhere() throws IOException {
        List<Path> documents = documents(Path.of("..", ".."));

        assertThat(documents).hasSizeGreaterThan(30);
        assertThat(brokenLinks(documents)).isEmpty();
    }

    @Test
    void proseHasNoLongLines() throws IOException {
        assertThat(longLines(documents(Path.of("..", "..")))).isEmpty();
    }

    @Test
    void aBrokenLinkAndALongLineAreFound(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("A.md"), "# One thing\n[to](#one-thing) [b](B.md) [c](#two)\n");
        Files.writeString(folder.resolve("B.md"), "word ".repeat(25) + "\n    " + "code ".repeat(30) + "\n");
        Files.writeString(folder.resolve("C.md"), "[a](A.md#one-thing) [d](D.md)\n");

        assertThat(brokenLinks(documents(folder))).containsExactlyInAnyOrder("A.md: #two", "C.md: D.md");
        assertThat(longLines(documents(folder))).containsExactly("B.md: 1");
    }

    private static List<Path> documents(Path project) throws IOException {
        try (Stream<Path> top = Files.list(project)) {
            List<Path> documents = new ArrayList<>();
            for (Path each : top.toList()) {
                boolean isOurs = !each.getFileName().toString().startsWith(".")
                        && !each.getFileName().toString().equals("target");
                if (isOurs) {
                    try (Stream<Path> files = Files.walk(each)) {
                        files.filter(file -> file.toString().endsWith(".md")
                                        && !file.toString().contains("/target/"))
                                .forEach(documents::add);
                    }
                }
            }
            return documents;
        }
    }

    private static List<String> longLines(List<Path> documents) throws IOException {
        List<String> found = new ArrayList<>();
        for (Path document : documents) {
            boolean fenced = false;
            List<String> lines = Files.readAllLines(document);
            for (int i = 0; i < lines.size(); i++) {
                String line = lines.get(i);
                fenced ^= line.strip().startsWith("```");
                boolean isProse = !fenced && !line.startsWith("    ") && !line.startsWith("|") && !line.startsWith("{");
                if (isProse && line.length() > LONGEST_LINE) {
                    found.add(document.getFileName() + ": " + (i + 1));
                }
            }
        }
        return found;
    }

    private static List<String> brokenLinks(List<Path> documents) throws IOException {
        List<String> broken = new ArrayList<>();
        Map<Path, Set<String>> anchors = new HashMap<>();
        for (Path document : documents) {
            anchors.put(document.normalize(), anchors(document));
        }
        for (Path document : documents) {
            Matcher link = LINK.matcher(Files.readString(document));
            while (link.find()) {
                if (!leadsSomewhere(document, link.group(1), anchors)) {
                    broken.add(document.getFileName() + ": " + link.group(1));
                }
            }
        }
        return broken;
    }

    private static boolean leadsSomewhere(Path document, String link, Map<Path, Set<String>> anchors) {
        if (link.contains(":")) {
            return true; // elsewhere
        }
        String[] parts = link.split("#", 2);
        Path target = parts[0].isEmpty()
                ? document.normalize()
                : document.resolveSibling(parts[0]).normalize();
        Set<String> known = anchors.get(target);
        return Files.exists(target) && (parts.length == 1 || known == null || known.contains(parts[1]));
    }

    private static Set<String> anchors(Path document) throws IOException {
        Set<String> anchors = new HashSet<>();
        boolean fenced = false;
        for (String line : Files.readAllLines(document)) {
            fenced ^= line.startsWith("```");
            Matcher heading = HEADING.matcher(line);
            if (!fenced && heading.matches()) {
                anchors.add(anchor(heading.group(1)));
            }
        }
        return anchors;
    }

    /** As the sites do that show such documents. */
    private static String anchor(String heading) {
        StringBuilder anchor = new StringBuilder();
        String text = LINKED_TEXT.matcher(heading.strip()).replaceAll("$1").toLowerCase(Locale.ROOT);
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            if (each == ' ') {
                anchor.append('-');
            } else if (Character.isLetterOrDigit(each) || each == '-' || each == '_') {
                anchor.append(each);
            }
        }
        return anchor.toString();
    }
}
