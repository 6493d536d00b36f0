/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.ycsb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class YcsbSummaryTest {
    private final YcsbSummary summary = new YcsbSummary();

    @Test
    void operationsAreListedInMilliseconds() {
        take("""
                [OVERALL], RunTime(ms), 2000
                [OVERALL], Throughput(ops/sec), 50.5
                [READ], Operations, 1200
                [READ], AverageLatency(us), 1700.5
                [READ], 50thPercentileLatency(us), 1500
                [READ], 99thPercentileLatency(us), 9840
                [READ], 99.9PercentileLatency(us), 120200
                [READ], Return=OK, 1200
                [CLEANUP], Operations, 3
                [CLEANUP], 50thPercentileLatency(us), 1
                """);
        List<String> table = summary.table();
        assertThat(table).hasSize(2);
        assertThat(table.get(1).split("\\s+")).containsExactly("read", "1,200", "1.50", "9.84", "120");
        assertThat(summary.throughput()).isEqualTo(50.5);
        assertThat(summary.succeeded()).isEqualTo(1_200);
        assertThat(summary.failures(false)).isEmpty();
    }

    @Test
    void aWriteOfUnknownOutcomeIsAFailure() {
        take("[UPDATE], Return=OK, 10\n[UPDATE], Return=UNKNOWN_OUTCOME, 2\n");
        assertThat(summary.failures(true)).isEqualTo(Map.of("UPDATE UNKNOWN_OUTCOME", 2L));
    }

    @Test
    void aValueThatWasNeverWrittenIsAFailureAndNotCountedTwice() {
        take("[READ], Return=OK, 10\n[VERIFY], Return=OK, 9\n[VERIFY], Return=UNEXPECTED_STATE, 1\n");
        assertThat(summary.succeeded()).isEqualTo(10);
        assertThat(summary.failures(true)).isEqualTo(Map.of("VERIFY UNEXPECTED_STATE", 1L));
    }

    @Test
    void aRowThatIsMissingIsAFailureUnlessRowsAreBeingInserted() {
        take("[READ], Return=OK, 10\n[READ], Return=NOT_FOUND, 4\n");
        assertThat(summary.failures(true)).isEmpty();
        assertThat(summary.failures(false)).isEqualTo(Map.of("READ NOT_FOUND", 4L));
        assertThat(summary.missed()).isEqualTo(4);
    }

    @Test
    void otherLinesAreLeftAlone() {
        assertThat(summary.take("Loading workload...")).isFalse();
        assertThat(summary.take("[READ], 0, many")).isFalse();
    }

    private void take(String lines) {
        lines.lines().forEach(line -> assertThat(summary.take(line)).as(line).isTrue());
    }
}
