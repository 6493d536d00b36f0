/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.prove;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.meteorshower.lab.prove.TraceBatch.Refusal;
import org.meteorshower.lab.simulate.RecordedRuns;

/** Runs of the core are runs of the specification, and those of a core with a mistake are not. */
class TracesTest {
    @Test
    void runsOfTheCoreAreAcceptedAndTheFirstWrongStepIsTold() throws Exception {
        RecordedRuns right = RecordedRuns.ofCore();
        List<RunTrace> runs = new ArrayList<>();
        LongStream.range(1, 7).forEach(seed -> runs.add(RunTrace.of(seed, right.record(seed))));
        runs.add(RunTrace.of(1, RecordedRuns.of("write-token-dropped").record(1)));

        List<Refusal> refusals = new TraceBatch(runs).refusals(Duration.ofMinutes(5));

        assertThat(refusals).extracting(Refusal::number).containsExactly(7);
        assertThat(refusals.get(0).text())
                .contains("is told that its write is done; its token is 0")
                .contains("the session's token is not the latest stamp of enough that have it");
    }

    @Test
    void stepsAreToldInWords() {
        RunTrace run = RunTrace.of(
                7,
                List.of(
                        "<<<<[write |-> 1, key |-> \"x\"]>>, <<>>>>",
                        "<<\"x\">>",
                        "5",
                        "<<\"begin\", 1, 0, 1, 2, \"x\">>",
                        "<<\"hear\", 0, 2, 4, <<0, 3>>>>",
                        "<<\"read\", 2, 1, 4, -1, \"x\">>"));
        assertThat(run.sessions()).isEqualTo(2);
        assertThat(run.writes()).isEqualTo(1);
        assertThat(run.describe(1)).isEqualTo("session 1 begins W1 of x at n0 with timestamp 2");
        assertThat(run.describe(2)).isEqualTo("n0 has heard n2 up to 4, and its stamps <<0, 3>>");
        assertThat(run.describe(3)).isEqualTo("session 2 reads x at n1 at cut 4: what nobody wrote");
    }

    @Test
    void aMutantThatTheSpecificationHasNoWordsForIsNamed() {
        assertThat(RecordedRuns.mutants()).hasSize(30).contains("gap-counted");
        assertThatThrownBy(() -> RecordedRuns.of("scan-below-floor"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no mutant that the specification has words for is called scan-below-floor");
    }
}
