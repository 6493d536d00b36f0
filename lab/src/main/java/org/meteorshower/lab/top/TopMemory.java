/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.top;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.meteorshower.lab.console.Display;
import org.meteorshower.lab.console.Numbers;

/** The part of the picture that is about the heap: each user, as it is at the node where it is nearest to its end. */
final class TopMemory {
    private static final String USERS = "%-44s %9s %8s %8s %8s %9s";

    private final Display display;

    TopMemory(Display display) {
        this.display = display;
    }

    private record At(String node, MemoryReading held) {}

    List<String> lines(List<Sight> sights) {
        Map<String, At> fullest = new TreeMap<>();
        for (Sight sight : sights) {
            Sight.Figures figures = sight.figures();
            if (figures != null) {
                figures.now().memory().forEach((user, held) -> {
                    At before = fullest.get(user);
                    if (before == null || held.share() > before.held.share()) {
                        fullest.put(user, new At(sight.target().name(), held));
                    }
                });
            }
        }
        fullest.values().removeIf(at -> at.held.peak() == 0);
        List<String> lines = new ArrayList<>();
        if (!fullest.isEmpty()) {
            lines.add("");
            lines.add(
                    display.dim(String.format(Locale.ROOT, USERS, "MEMORY", "HOLDS", "OF", "PEAK", "FULL", "AT NODE")));
            fullest.forEach((user, at) -> {
                String line = String.format(
                        Locale.ROOT,
                        USERS,
                        user,
                        megabytes(at.held.used()),
                        megabytes(at.held.limit()),
                        megabytes(at.held.peak()),
                        Numbers.whole(at.held.timesFull()),
                        at.node);
                lines.add(at.held.isNearItsEnd(user) ? display.bad(line) : line);
            });
        }
        return lines;
    }

    private static String megabytes(long bytes) {
        return Numbers.of(bytes / (double) (1 << 20)) + " MB";
    }
}
