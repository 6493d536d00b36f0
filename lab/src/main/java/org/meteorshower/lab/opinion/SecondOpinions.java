/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.opinion;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.meteorshower.checker.BadHistoryException;
import org.meteorshower.checker.History;
import org.meteorshower.checker.HistoryReader;
import org.meteorshower.checker.Model;
import org.meteorshower.checker.transactions.IsolationModel;
import org.meteorshower.checker.transactions.RecordedTransaction;
import org.meteorshower.checker.transactions.TransactionHistoryReader;
import org.meteorshower.lab.opinion.Answer.Opinion;
import org.meteorshower.lab.simulate.SeenByClients;
import org.meteorshower.lab.simulate.SimulatedHistories;

/** Gives histories to the checkers, and what they say to the table. What they differ on is told at once. */
final class SecondOpinions {
    private static final String SMALL = "small, random";

    private final Judges judges;
    private final OpinionTable table;
    private final Kept kept;
    private final PrintWriter out;

    SecondOpinions(Judges judges, OpinionTable table, Kept kept, PrintWriter out) {
        this.judges = judges;
        this.table = table;
        this.kept = kept;
        this.out = out;
    }

    /** @param enough it ends after so many histories that ours refuses; 0: at the last seed */
    void ofSeeds(SimulatedHistories source, long first, long last, int enough)
            throws IOException, InterruptedException {
        int refused = 0;
        for (long seed = first; seed <= last && (enough == 0 || refused < enough) && isJudged(source); seed++) {
            SeenByClients seen = source.seeds().run(seed);
            if (seen != null) {
                refused += judge(seen, source.name() + "-" + seed) ? 1 : 0;
            }
        }
        table.print(source.name());
        out.flush();
    }

    /** So many small histories of reads, each for both models. */
    void ofRandomReads(int histories) throws IOException, InterruptedException {
        for (int seed = 0; seed < histories && judges.reads() != null; seed++) {
            for (Model model : Model.values()) {
                judge(RandomReads.of(seed), model, "random-" + seed);
            }
        }
        table.print(SMALL);
    }

    /** The same of transactions. */
    void ofRandomTransactions(int histories) throws IOException, InterruptedException {
        for (int seed = 0; seed < histories && judges.transactions() != null; seed++) {
            for (IsolationModel model : IsolationModel.values()) {
                judge(RandomTransactions.of(seed), model, "random-" + seed);
            }
        }
        table.print(SMALL);
    }

    private boolean isJudged(SimulatedHistories source) throws IOException, InterruptedException {
        return source.transactions() ? judges.transactions() != null : judges.reads() != null;
    }

    /** Returns whether ours refuses it. */
    private boolean judge(SeenByClients seen, String name) throws IOException, InterruptedException {
        if (seen instanceof SeenByClients.Reads reads) {
            return judge(reads.history(), reads.model(), name);
        }
        SeenByClients.Transactions transactions = (SeenByClients.Transactions) seen;
        boolean strict = judge(transactions.strict(), IsolationModel.STRICT_SERIALIZABLE, name);
        return judge(transactions.all(), IsolationModel.SERIALIZABLE, name) || strict;
    }

    private boolean judge(History history, Model model, String name) throws IOException, InterruptedException {
        ReadComparisons comparisons = judges.reads();
        if (comparisons == null || history.size() == 0) {
            return false;
        }
        List<Comparison> all = comparisons.compare(history, model);
        Path file = kept.keep(history, name, all.stream().anyMatch(Comparison::differs));
        all.forEach(comparison -> add(Judges.PORCUPINE, comparison, name, file));
        return all.stream().anyMatch(comparison -> comparison.ours().is(Opinion.REFUSED));
    }

    private boolean judge(List<RecordedTransaction> history, IsolationModel model, String name) throws IOException {
        TransactionComparisons comparisons = judges.transactions();
        if (comparisons == null || history.isEmpty()) {
            return false;
        }
        Comparison comparison = comparisons.compare(history, model);
        add(Judges.ELLE, comparison, name, kept.keep(history, name + "-" + model.word(), comparison.differs()));
        return comparison.ours().is(Opinion.REFUSED);
    }

    private void add(String judge, Comparison comparison, String name, @Nullable Path file) {
        table.add(judge, comparison);
        if (comparison.differs() || comparison.isOpen()) {
            out.println((comparison.differs() ? "DIFFER: " : "open: ") + name + ", " + comparison.property() + ": ours "
                    + words(comparison.ours()) + "; " + judge + " " + words(comparison.theirs())
                    + (file == null ? "" : "; " + file));
        }
    }

    private static String words(Answer answer) {
        return answer.opinion().name().toLowerCase(Locale.ROOT)
                + (answer.why().isEmpty() ? "" : " (" + answer.why() + ")");
    }

    /**
     * Each file is a history. Throws {@link IllegalArgumentException} where no model is called so, or a file holds
     * none.
     */
    void ofFiles(List<Path> files, String model) throws IOException, InterruptedException {
        String word = model.toUpperCase(Locale.ROOT).replace('-', '_');
        try {
            for (Path file : files) {
                String name = String.valueOf(file.getFileName());
                switch (word) {
                    case "SEQUENTIAL", "LINEARIZABLE" ->
                        judge(HistoryReader.read(List.of(file)), Model.valueOf(word), name);
                    case "SERIALIZABLE", "STRICT_SERIALIZABLE" ->
                        judge(TransactionHistoryReader.read(List.of(file)), IsolationModel.valueOf(word), name);
                    default ->
                        throw new IllegalArgumentException("no model is called " + model
                                + "; there are sequential, linearizable, serializable and strict-serializable");
                }
                table.print(name);
            }
        } catch (BadHistoryException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }
}
