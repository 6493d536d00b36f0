/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import java.util.ArrayList;
import java.util.List;
import org.meteorshower.checker.History;
import org.meteorshower.checker.Model;
import org.meteorshower.checker.Verdict;

/**
 * Puts what the clients wrote down before the checker: all sessions of MeteorShower, in all modes together, must be
 * sequentially consistent; strict ones linearizable besides. What plain Cassandra's modes did is checked too, for show.
 */
final class Judge {
    private Judge() {}

    static List<Finding> findings(Recording recording, List<Mode> modes) {
        List<Finding> findings = new ArrayList<>();
        if (modes.stream().anyMatch(Mode::isServed)) {
            findings.add(check("all MeteorShower modes", Model.SEQUENTIAL, recording.servedHistory(), true));
        }
        modes.stream()
                .filter(Mode::isStrict)
                .forEach(mode ->
                        findings.add(check(mode.title(), Model.LINEARIZABLE, recording.servedHistory(mode), true)));
        for (Mode mode : modes) {
            if (!mode.isServed()) {
                findings.add(check(mode.title(), Model.SEQUENTIAL, recording.plainHistory(mode), false));
            }
        }
        return findings;
    }

    private static Finding check(String title, Model model, History history, boolean promised) {
        long start = System.nanoTime();
        Verdict verdict = model.check(history);
        return new Finding(title, history, verdict, System.nanoTime() - start, promised);
    }
}
