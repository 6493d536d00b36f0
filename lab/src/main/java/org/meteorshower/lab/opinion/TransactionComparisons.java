/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.opinion;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.meteorshower.checker.transactions.IsolationChecker;
import org.meteorshower.checker.transactions.IsolationModel;
import org.meteorshower.checker.transactions.IsolationVerdict;
import org.meteorshower.checker.transactions.RecordedTransaction;

/** Histories of transactions, judged by our checker and by Elle. */
final class TransactionComparisons {
    private final Elle elle;
    private final Path folder;

    /** @param folder of files that are written and deleted */
    TransactionComparisons(Elle elle, Path folder) {
        this.elle = elle;
        this.folder = folder;
    }

    Comparison compare(List<RecordedTransaction> history, IsolationModel model) throws IOException {
        IsolationVerdict verdict = IsolationChecker.check(history, model);
        Path file = folder.resolve("asked.edn");
        ElleHistory.write(history, file);
        Answer theirs = elle.judge(file, model);
        Files.delete(file);
        String anomaly = verdict.anomaly() == null ? "" : verdict.anomaly().name();
        return new Comparison(model.word(), Answer.of(verdict.outcome(), anomaly), theirs);
    }
}
