/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** What one node's log says from some line on: other tests on the same nodes may have made it say the same before. */
final class NodeLog {
    /** A line may be written a while after what it tells of has been seen. */
    private static final Duration SOON = Duration.ofSeconds(30);

    private static final int LINES_SHOWN = 30;

    private final String node;
    private final Path file;
    private final long linesBefore;

    private NodeLog(String node, Path file, long linesBefore) {
        this.node = node;
        this.file = file;
        this.linesBefore = linesBefore;
    }

    /** All of it. */
    static NodeLog of(TestCluster cluster, String node) {
        return new NodeLog(node, cluster.nodes().systemLog(node), 0);
    }

    /** What comes after this call. */
    static NodeLog fromNowOn(TestCluster cluster, String node) throws IOException {
        Path file = cluster.nodes().systemLog(node);
        try (Stream<String> lines = Files.lines(file)) {
            return new NodeLog(node, file, lines.count());
        }
    }

    /** Waits for a warning or an error with all of these words. */
    void awaitWarning(String... words) throws InterruptedException {
        Waiting.until(SOON, () -> {
            List<String> warnings = warnings();
            assertThat(warnings)
                    .as(() -> node + " warned of " + String.join(" … ", words) + "; the end of what it warned of:\n"
                            + String.join("\n", end(warnings)))
                    .anyMatch(line -> Stream.of(words).allMatch(line::contains));
        });
    }

    /** That it has warned of none of these. */
    void assertNoWarning(String... words) throws IOException {
        assertThat(warnings()).as(node).noneMatch(line -> Stream.of(words).anyMatch(line::contains));
    }

    /** Its lines with all of these words, of whatever kind. */
    List<String> linesWith(String... words) throws IOException {
        return lines(line -> Stream.of(words).allMatch(line::contains));
    }

    private List<String> warnings() throws IOException {
        return lines(line -> line.startsWith("WARN") || line.startsWith("ERROR"));
    }

    private List<String> lines(Predicate<String> wanted) throws IOException {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.skip(linesBefore).filter(wanted).toList();
        }
    }

    private static List<String> end(List<String> lines) {
        return lines.subList(Math.max(0, lines.size() - LINES_SHOWN), lines.size());
    }
}
