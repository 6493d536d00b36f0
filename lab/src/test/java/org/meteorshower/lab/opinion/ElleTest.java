/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.opinion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.meteorshower.checker.transactions.IsolationModel;
import org.meteorshower.checker.transactions.RecordedTransaction;
import org.meteorshower.checker.transactions.RecordedTransaction.Append;
import org.meteorshower.checker.transactions.RecordedTransaction.Read;
import org.meteorshower.checker.transactions.RecordedTransaction.Status;
import org.meteorshower.lab.opinion.Answer.Opinion;

/** Elle, asked in our words. What needs Elle is aborted where METEOR_ELLE names no class path. */
class ElleTest {
    @TempDir
    private Path folder;

    @Test
    void historiesAreWrittenAsElleReadsThem() throws IOException {
        Path file = folder.resolve("h.edn");
        ElleHistory.write(
                List.of(
                        new RecordedTransaction(
                                "a",
                                List.of(new Append("x", "1"), new Read("y", null), new Read("x", List.of("1"))),
                                0,
                                10,
                                Status.OK),
                        new RecordedTransaction(
                                "b", List.of(new Append("x", "2"), new Read("y", null)), 10, -1, Status.UNKNOWN),
                        new RecordedTransaction("a", List.of(new Append("\"", "3")), 20, 30, Status.FAIL)),
                file);

        assertThat(Files.readAllLines(file))
                .containsExactly(
                        "{:type :invoke, :process 0, :f :txn, :value [[:append \"x\" \"1\"] [:r \"x\" nil]]}",
                        "{:type :invoke, :process 1, :f :txn, :value [[:append \"x\" \"2\"] [:r \"y\" nil]]}",
                        "{:type :ok, :process 0, :f :txn, :value [[:append \"x\" \"1\"] [:r \"x\" [\"1\"]]]}",
                        "{:type :invoke, :process 2, :f :txn, :value [[:append \"\\\"\" \"3\"]]}",
                        "{:type :fail, :process 2, :f :txn, :value [[:append \"\\\"\" \"3\"]]}",
                        "{:type :info, :process 1, :f :txn, :value [[:append \"x\" \"2\"] [:r \"y\" nil]]}");
    }

    @Test
    void whereItIsMissingIsSaidHowToGetIt() {
        assertThatThrownBy(() -> Elle.start(folder, null))
                .isInstanceOf(MissingJudgeException.class)
                .hasMessageContaining("METEOR_ELLE");
        assertThatThrownBy(() -> Elle.start(folder, "/nowhere/elle.jar"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("/nowhere/elle.jar");
    }

    @Test
    void itSaysOfSmallHistoriesWhatOursSays() throws Exception {
        try (Elle elle = start()) {
            TransactionComparisons comparisons = new TransactionComparisons(elle, folder);
            List<Opinion> theirs = new ArrayList<>();
            for (int seed = 0; seed < 300; seed++) {
                for (IsolationModel model : IsolationModel.values()) {
                    Comparison comparison = comparisons.compare(RandomTransactions.of(seed), model);
                    assertThat(comparison.theirs().opinion())
                            .as("seed %d, %s", seed, comparison)
                            .isEqualTo(comparison.ours().opinion());
                    theirs.add(comparison.theirs().opinion());
                }
            }
            assertThat(theirs.stream().filter(each -> each == Opinion.REFUSED).count())
                    .isBetween(100L, 500L);
        }
    }

    private Elle start() throws IOException {
        try {
            return Elle.start(folder, System.getenv("METEOR_ELLE"));
        } catch (MissingJudgeException e) {
            return abort("not run: " + e.getMessage());
        }
    }
}
