/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.opinion;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meteorshower.checker.History;
import org.meteorshower.checker.HistoryWriter;
import org.meteorshower.checker.transactions.RecordedTransaction;
import org.meteorshower.checker.transactions.TransactionHistoryWriter;

/** Keeps histories: all of them, or those that checkers differ on. */
final class Kept {
    private final @Nullable Path all;
    private final Path differing;

    /**
     * @param all folder; null: only those are kept that the checkers differ on
     * @param differing folder of these, where not all are kept
     */
    Kept(@Nullable Path all, Path differing) {
        this.all = all;
        this.differing = differing;
    }

    /** Returns where it is kept; null where it is not. */
    @Nullable
    Path keep(History history, String name, boolean differ) throws IOException {
        Path folder = folder(differ);
        if (folder == null) {
            return null;
        }
        Path file = folder.resolve(name + ".jsonl");
        try (HistoryWriter writer = HistoryWriter.create(file)) {
            writer.appendAll(history);
        }
        return file;
    }

    /** The same of transactions; beside it stands the file that Elle reads. */
    @Nullable
    Path keep(List<RecordedTransaction> history, String name, boolean differ) throws IOException {
        Path folder = folder(differ);
        if (folder == null) {
            return null;
        }
        Path file = folder.resolve(name + ".jsonl");
        TransactionHistoryWriter.write(history, file);
        ElleHistory.write(history, folder.resolve(name + ".edn"));
        return file;
    }

    private @Nullable Path folder(boolean differ) throws IOException {
        if (all != null) {
            return Files.createDirectories(all);
        }
        return differ ? Files.createDirectories(differing) : null;
    }
}
