/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.meteorshower.checker.History;
import org.meteorshower.checker.HistoryWriter;
import org.meteorshower.checker.Model;
import org.meteorshower.checker.transactions.IsolationModel;
import org.meteorshower.checker.transactions.RecordedTransaction;
import org.meteorshower.checker.transactions.TransactionHistoryWriter;

/** What clients saw in a simulated run. */
public sealed interface SeenByClients {
    /** As docs/HISTORY_FORMAT.md says, for {@code ./meteor check}. Throws {@link UncheckedIOException}. */
    void write(Path file);

    /**
     * Reads and writes.
     *
     * @param model what was promised to them
     */
    record Reads(History history, Model model) implements SeenByClients {
        @Override
        public void write(Path file) {
            try (HistoryWriter writer = HistoryWriter.create(file)) {
                writer.appendAll(history);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
            }
        }
    }

    /**
     * Transactions on lists.
     *
     * @param strict those that keep real time
     * @param all these and snapshot reads, which may be stale
     */
    record Transactions(List<RecordedTransaction> strict, List<RecordedTransaction> all) implements SeenByClients {
        public Transactions {
            strict = List.copyOf(strict);
            all = List.copyOf(all);
        }

        /** Only those that keep real time. */
        @Override
        public void write(Path file) {
            try {
                TransactionHistoryWriter.write(strict, file);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
            }
        }

        static Transactions of(Function<IsolationModel, List<RecordedTransaction>> history) {
            return new Transactions(
                    history.apply(IsolationModel.STRICT_SERIALIZABLE), history.apply(IsolationModel.SERIALIZABLE));
        }
    }
}
