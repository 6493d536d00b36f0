/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.opinion;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.meteorshower.checker.CheckLimits;
import org.meteorshower.checker.Counterexample;
import org.meteorshower.checker.History;
import org.meteorshower.checker.HistoryWriter;
import org.meteorshower.checker.LinearizableChecker;
import org.meteorshower.checker.Model;
import org.meteorshower.checker.SequentialChecker;
import org.meteorshower.checker.Verdict;
import org.meteorshower.lab.opinion.Answer.Opinion;

/**
 * Histories of reads and writes, judged by our checker and by Porcupine.
 *
 * <p>Porcupine tries orders one after the other. It begins with the order that our checker has found: to accept it must
 * see for itself that this, or another one, is right. Where ours has found none and the whole is too much, Porcupine is
 * asked about the few operations that ours says no order can hold: if it refuses those, it refuses the whole.
 */
final class ReadComparisons {
    private final Porcupine porcupine;
    private final Path folder;
    private final Duration atMost;

    /**
     * @param folder of files that are written and deleted
     * @param atMost how long Porcupine may take for a question
     */
    ReadComparisons(Porcupine porcupine, Path folder, Duration atMost) {
        this.porcupine = porcupine;
        this.folder = folder;
        this.atMost = atMost;
    }

    /** All properties that are of interest where this was promised. */
    List<Comparison> compare(History history, Model promised) throws IOException {
        List<Comparison> comparisons = new ArrayList<>();
        if (promised == Model.LINEARIZABLE) {
            comparisons.add(compare("linearizable, by version", history, promised, true));
            comparisons.add(compare("linearizable", HistoryParts.withoutVersions(history), promised, false));
        } else {
            comparisons.add(compare("sequential, by version", history, promised, true));
        }
        return comparisons;
    }

    private Comparison compare(String property, History history, Model model, boolean versions) throws IOException {
        Verdict verdict = model.check(history);
        Answer ours = Answer.of(verdict.outcome(), verdict.reason());
        return new Comparison(property, ours, theirs(history, verdict, versions));
    }

    private Answer theirs(History history, Verdict verdict, boolean versions) throws IOException {
        Model model = verdict.model();
        Counterexample counterexample = verdict.counterexample();
        boolean isRefused = counterexample != null;
        if (isRefused && model == Model.SEQUENTIAL) {
            Answer ofPart = ofPart(history, verdict, versions);
            return ofPart.is(Opinion.REFUSED) ? ofPart : ask(history, model, versions, List.of());
        }
        List<Integer> order = isRefused ? List.of() : order(history, model);
        Answer ofWhole = ask(history, model, versions, order);
        return isRefused && ofWhole.is(Opinion.OPEN) ? ofPart(history, verdict, versions) : ofWhole;
    }

    private static List<Integer> order(History history, Model model) {
        return switch (model) {
            case SEQUENTIAL -> SequentialChecker.order(history, CheckLimits.DEFAULT);
            case LINEARIZABLE -> LinearizableChecker.order(history, CheckLimits.DEFAULT);
        };
    }

    /** Refused or not known: what it says of a part when it accepts that says nothing of the whole. */
    private Answer ofPart(History history, Verdict verdict, boolean versions) throws IOException {
        Counterexample counterexample = verdict.counterexample();
        if (counterexample == null) {
            return new Answer(Opinion.OPEN, "no part was named");
        }
        History part = HistoryParts.closed(history, counterexample.operations());
        Answer answer = ask(part, verdict.model(), versions, List.of());
        return answer.is(Opinion.ACCEPTED)
                ? new Answer(Opinion.OPEN, "the part that ours refuses is accepted")
                : answer;
    }

    private Answer ask(History history, Model model, boolean versions, List<Integer> order) throws IOException {
        Path file = folder.resolve("asked.jsonl");
        try (HistoryWriter writer = HistoryWriter.create(file)) {
            writer.appendAll(history);
        }
        Answer answer = porcupine.judge(file, model, versions, order, atMost);
        Files.delete(file);
        return answer;
    }
}
