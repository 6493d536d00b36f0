/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.meteorshower.checker.BadHistoryException;
import org.meteorshower.checker.CheckReport;
import org.meteorshower.checker.History;
import org.meteorshower.checker.HistoryReader;
import org.meteorshower.checker.Model;
import org.meteorshower.checker.Outcome;
import org.meteorshower.checker.Verdict;
import org.meteorshower.checker.transactions.IsolationChecker;
import org.meteorshower.checker.transactions.IsolationModel;
import org.meteorshower.checker.transactions.IsolationVerdict;
import org.meteorshower.checker.transactions.RecordedTransaction;
import org.meteorshower.checker.transactions.TransactionHistoryReader;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code meteor check}: the checker's verdict on recorded histories. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        description = {
            "Check recorded histories for sequential consistency, or for linearizability row by row.",
            "Each file is a history of its own, JSON lines as docs/HISTORY_FORMAT.md says."
        },
        footer = {
            "",
            "Examples:",
            "  ./meteor check history.jsonl",
            "  ./meteor check --model linearizable strict.jsonl",
            "  ./meteor check --model serializable transactions.jsonl",
            "  ./meteor check --together eu.jsonl us.jsonl        one history recorded in two files",
            "",
            "Exit codes: 0 consistent; 1 a violation, shown; 2 bad input, with the line, or wrong arguments;",
            "3 undecided. Of several histories the worst counts: 2, then 1, then 3."
        })
final class CheckCommand implements Callable<Integer> {
    @Option(
            names = "--model",
            paramLabel = "MODEL",
            description = {
                "sequential (default) or linearizable;",
                "serializable or strict-serializable for transactions"
            })
    private String model = "sequential";

    @Option(names = "--together", description = "take all files as one history, in the order given")
    private boolean together;

    @Parameters(arity = "1..*", paramLabel = "FILE", description = "recorded history")
    private List<Path> files = new ArrayList<>();

    private final PrintWriter out;
    private final PrintWriter err;

    CheckCommand(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() {
        IsolationModel transactions = isolation();
        if (transactions != null) {
            return checkEach(history -> check(transactions, history)).exitStatus();
        }
        Model chosen =
                switch (model.toLowerCase(Locale.ROOT)) {
                    case "sequential" -> Model.SEQUENTIAL;
                    case "linearizable" -> Model.LINEARIZABLE;
                    default ->
                        throw new IllegalArgumentException("no model is called " + model
                                + "; there are sequential, linearizable, serializable and strict-serializable");
                };
        return checkEach(history -> check(chosen, history)).exitStatus();
    }

    /** The model of transactions that was asked for; null where it is one of single operations. */
    private @Nullable IsolationModel isolation() {
        for (IsolationModel transactions : IsolationModel.values()) {
            if (transactions.word().equals(model.toLowerCase(Locale.ROOT))) {
                return transactions;
            }
        }
        return null;
    }

    private Outcome checkEach(Function<List<Path>, Outcome> check) {
        if (together) {
            return check.apply(files);
        }
        Outcome worst = Outcome.CONSISTENT;
        for (Path file : files) {
            if (files.size() > 1) {
                out.println("== " + file);
            }
            worst = worst.worst(check.apply(List.of(file)));
        }
        return worst;
    }

    private Outcome check(IsolationModel chosen, List<Path> files) {
        try {
            List<RecordedTransaction> history = TransactionHistoryReader.read(files);
            IsolationVerdict verdict = IsolationChecker.check(history, chosen);
            out.print(verdict.report());
            out.println("  " + history.size() + " transactions");
            out.flush();
            return verdict.outcome();
        } catch (BadHistoryException | IllegalArgumentException e) {
            err.println("error: " + e.getMessage());
        } catch (IOException e) {
            err.println("error: cannot read " + e.getMessage());
        }
        return Outcome.BAD_INPUT;
    }

    private Outcome check(Model chosen, List<Path> history) {
        try {
            History read = HistoryReader.read(history);
            long started = System.nanoTime();
            Verdict verdict = chosen.check(read);
            out.print(CheckReport.of(read, verdict, System.nanoTime() - started));
            out.flush();
            return verdict.outcome();
        } catch (BadHistoryException e) {
            err.println("error: " + e.getMessage());
        } catch (IOException e) {
            err.println("error: cannot read " + e.getMessage());
        }
        return Outcome.BAD_INPUT;
    }
}
