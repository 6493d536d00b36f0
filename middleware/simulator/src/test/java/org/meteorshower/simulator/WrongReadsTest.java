/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.meteorshower.checker.Operation;
import org.meteorshower.checker.Outcome;
import org.meteorshower.checker.SequentialChecker;

/** Wrong reads are counted, never more of them than there are. */
class WrongReadsTest {
    private final List<Operation> operations = new ArrayList<>();
    private long nanos;

    private void write(String session, String key, long version) {
        nanos++;
        operations.add(Operation.write(session, key, Long.toString(version), nanos, nanos, version));
    }

    private void read(String session, String key, @Nullable Long version) {
        nanos++;
        operations.add(Operation.read(session, key, version == null ? null : Long.toString(version), nanos, nanos));
    }

    @Test
    void aHistoryThatIsRightHasNone() {
        write("a", "x", 1);
        read("b", "x", null);
        read("b", "x", 1L);

        assertThat(WrongReads.atLeast(operations)).isZero();
    }

    @Test
    void twoSessionsThatGoBackAreTwo() {
        write("a", "x", 1);
        write("a", "x", 2);
        for (String session : List.of("b", "c")) {
            read(session, "x", 2L);
            read(session, "x", 1L);
        }
        read("d", "x", 1L);
        read("d", "x", 2L);

        assertThat(WrongReads.atLeast(operations)).isEqualTo(2);
    }

    @Test
    void aSessionThatGoesBackAndForthIsAsManyAsNoOrderExplainsWithout() {
        write("a", "x", 1);
        write("a", "x", 2);
        read("b", "x", 2L);
        read("b", "x", 1L);
        read("b", "x", 2L);

        // Without the second read all is well.
        assertThat(WrongReads.atLeast(operations)).isEqualTo(1);
    }

    @Test
    void whatTheCheckerNamesIsAViolationByItself() {
        for (int seed = 0; seed < 5; seed++) {
            PublishedRun run = PublishedRun.of(
                    new PublishedAlgorithm.Setting(
                            List.of(50_000L, 50_000L, 50_000L), true, MajorityValue.LARGEST_AT_A_MAJORITY, 4, 24, 300),
                    seed,
                    line -> {});

            List<Operation> example = new ArrayList<>(run.example());
            example.sort((a, b) -> Long.compare(a.startNanos(), b.startNanos()));
            assertThat(example).isNotEmpty();
            assertThat(SequentialChecker.check(WrongReads.historyOf(example)).outcome())
                    .isEqualTo(Outcome.VIOLATION);
        }
    }
}
