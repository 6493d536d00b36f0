/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker.transactions;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.meteorshower.checker.transactions.RecordedTransaction.Append;
import org.meteorshower.checker.transactions.RecordedTransaction.Read;
import org.meteorshower.checker.transactions.RecordedTransaction.Status;

class TransactionHistoryWriterTest {
    @TempDir
    private Path folder;

    @Test
    void whatIsWrittenIsReadAgain() throws Exception {
        List<RecordedTransaction> history = List.of(
                new RecordedTransaction(
                        "a",
                        List.of(new Append("x", "1"), new Read("y\n\"", null), new Read("x", List.of("0", "1"))),
                        3,
                        5,
                        Status.OK),
                new RecordedTransaction("b", List.of(new Append("x", "2")), 4, -1, Status.UNKNOWN),
                new RecordedTransaction("a", List.of(new Read("x", List.of())), 6, 7, Status.FAIL));
        Path file = folder.resolve("h.jsonl");

        TransactionHistoryWriter.write(history, file);

        assertThat(TransactionHistoryReader.read(List.of(file))).isEqualTo(history);
    }
}
