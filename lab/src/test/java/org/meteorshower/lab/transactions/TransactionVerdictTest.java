/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.transactions;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.meteorshower.checker.Outcome;
import org.meteorshower.checker.transactions.IsolationChecker;
import org.meteorshower.checker.transactions.IsolationModel;
import org.meteorshower.checker.transactions.TransactionHistoryReader;

final class TransactionVerdictTest {
    private static final int REQUESTS = 1_200;
    private static final int SEEDS = Boolean.getBoolean("long.tests") ? 20 : 5;

    @Test
    void whatAnHonestBankDidIsFoundToBeTrueAlsoWhereAnswersAreMissing() {
        for (int seed = 1; seed <= SEEDS; seed++) {
            Bank bank = new Bank(seed, null).run(REQUESTS);
            assertThat(TransactionVerdict.of(bank.recorded(), bank.end()).findings())
                    .as("seed " + seed)
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void eachMistakeIsFound(Bank.Mistake mistake) {
        for (int seed = 1; seed <= SEEDS; seed++) {
            Bank bank = new Bank(seed, mistake).run(REQUESTS);
            assertThat(TransactionVerdict.of(bank.recorded(), bank.end()).findings())
                    .as(mistake + ", seed " + seed)
                    .isNotEmpty();
        }
    }

    @Test
    void moneyThatIsGoneIsSaidToBeGone() {
        Bank bank = new Bank(1, Bank.Mistake.MONEY_LOST).run(REQUESTS);
        assertThat(TransactionVerdict.of(bank.recorded(), bank.end()).findings())
                .singleElement()
                .asString()
                .contains("the balances add up to");
    }

    @Test
    void honestSnapshotsAreFoundToBeTrue() {
        for (int seed = 1; seed <= SEEDS; seed++) {
            Bank bank = new Bank(seed, null).run(REQUESTS);
            assertThat(bank.snapshots()).hasSizeGreaterThan(40);
            assertThat(TransactionVerdict.of(bank.recorded(), bank.snapshots(), bank.end())
                            .findings())
                    .as("seed " + seed)
                    .isEmpty();
        }
    }

    @Test
    void aSnapshotOfTwoMomentsIsFound() {
        for (int seed = 1; seed <= SEEDS; seed++) {
            Bank bank = new Bank(seed, null).run(REQUESTS);
            List<Snapshot> snapshots = new ArrayList<>(bank.snapshots());
            Snapshot early = snapshots.get(20);
            Snapshot late = snapshots.get(24);
            List<Account> rows = new ArrayList<>(late.rows());
            for (int row = 1; row <= 5; row++) {
                rows.set(row, early.rows().get(row));
            }
            snapshots.add(new Snapshot("another", rows, late.startNanos(), late.endNanos()));
            assertThat(TransactionVerdict.of(bank.recorded(), snapshots, bank.end())
                            .findings())
                    .as("seed " + seed)
                    .anyMatch(finding -> finding.startsWith("with snapshots: "))
                    .noneMatch(finding -> finding.contains("went back"));
        }
    }

    @Test
    void aSessionThatGoesBackIsFound() {
        Bank bank = new Bank(1, null).run(REQUESTS);
        List<Snapshot> snapshots = new ArrayList<>(bank.snapshots());
        Snapshot early = snapshots.get(20);
        Snapshot late = snapshots.get(27); // of the same session: 7 x 25 requests later
        assertThat(early.session()).isEqualTo(late.session());
        snapshots.set(27, new Snapshot(late.session(), early.rows(), late.startNanos(), late.endNanos()));
        assertThat(TransactionVerdict.of(bank.recorded(), snapshots, bank.end()).findings())
                .isNotEmpty()
                .allMatch(finding -> finding.startsWith("session " + late.session() + " went back"));
    }

    @Test
    void theFileThatIsWrittenIsJudgedAlike(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("history.jsonl");
        for (boolean honest : new boolean[] {true, false}) {
            Bank bank = new Bank(3, honest ? null : Bank.Mistake.LOST_UPDATE).run(REQUESTS);
            TransactionHistoryFile.write(VersionHistory.of(bank.recorded(), bank.end()), file);
            assertThat(IsolationChecker.check(
                                    TransactionHistoryReader.read(List.of(file)), IsolationModel.STRICT_SERIALIZABLE)
                            .outcome())
                    .isEqualTo(honest ? Outcome.CONSISTENT : Outcome.VIOLATION);
        }
    }
}
