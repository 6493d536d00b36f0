/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.meteorshower.lab.cluster.ClusterOptions;
import org.meteorshower.lab.transactions.Bank;
import org.meteorshower.lab.transactions.TransactionOutcome;
import org.meteorshower.lab.transactions.TransactionVerdict;

class TransactionTortureReportTest {
    private static final TransactionTortureOptions OPTIONS = new TransactionTortureOptions(
            new TortureOptions(
                    ClusterOptions.builder().build(),
                    Duration.ofMinutes(1),
                    42,
                    FaultKind.ofTransactions(3, 1),
                    Path.of("t.svg"),
                    null),
            new TortureLoad(42, 3, 8, 100));

    private static TransactionTortureResult result(Bank.@Nullable Mistake mistake, List<String> wrong) {
        Bank bank = new Bank(7, mistake).run(1_200);
        FaultSpan span = new FaultSpan(new Fault(FaultKind.KILL, "us", 0, 0, 0), 1, 2, 3);
        return new TransactionTortureResult(
                OPTIONS,
                TransactionVerdict.of(bank.recorded(), bank.snapshots(), bank.end()),
                wrong,
                Map.of(TransactionOutcome.Status.COMMIT, 1_000L, TransactionOutcome.Status.UNKNOWN, 3L),
                48,
                TortureFigures.of(
                        List.of(span),
                        List.of(),
                        List.of("eu", "us", "asia"),
                        Map.of("unknown: WriteTimeoutException", 3L),
                        60));
    }

    @Test
    void aRunThatWentWellSaysSo() {
        TransactionTortureResult result = result(null, List.of());
        ObjectNode json = TransactionTortureReport.of(result).json();

        assertThat(result.isRight()).isTrue();
        assertThat(json.get("committed").asInt()).isEqualTo(1_000);
        assertThat(json.get("unknown").asInt()).isEqualTo(3);
        assertThat(json.get("violations").asInt()).isZero();
        assertThat(json.get("faults").get("kill").asInt()).isEqualTo(1);
        assertThat(TransactionTortureReport.of(result).lines())
                .anyMatch(line -> line.startsWith("verdict: strictly serializable"));
    }

    @ParameterizedTest
    @EnumSource
    void eachSeededMistakeIsShown(Bank.Mistake mistake) {
        TransactionTortureResult result = result(mistake, List.of());

        assertThat(result.isRight()).isFalse();
        assertThat(TransactionTortureReport.of(result).json().get("violations").asInt())
                .isPositive();
        assertThat(TransactionTortureReport.of(result).lines())
                .anyMatch(line -> line.startsWith("WRONG "))
                .contains("verdict: VIOLATION");
    }

    @Test
    void aDataCentreThatIsStuckIsWrong() {
        TransactionTortureResult result = result(null, List.of("data centre us is stuck"));

        assertThat(result.isRight()).isFalse();
        assertThat(TransactionTortureReport.of(result).lines()).contains("WRONG data centre us is stuck");
    }
}
