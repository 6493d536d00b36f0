/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the specification is given to judge. */
class RecordedRunTest {
    private static final String STEP =
            "<<\"(begin|stamp|again|store|late|hear|ask|retire|read|end|give-up|restart)\"(, (-?\\d+|\"[xy]\"|<<[\\d, ]*>>))+>>";

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 8})
    void aSeedIsWrittenDownTheSameWayEachTime(long seed) {
        List<String> lines = RecordedRun.of(seed, Bug.NONE);
        assertThat(lines).hasSizeGreaterThan(30).isEqualTo(RecordedRun.of(seed, Bug.NONE));
        assertThat(lines.subList(3, lines.size())).allMatch(line -> line.matches(STEP));
    }

    @Test
    void allThatHappensIsWrittenDownInSomeRun() {
        String all = LongStream.range(1, 40)
                .mapToObj(seed -> String.join("\n", RecordedRun.of(seed, Bug.NONE)))
                .reduce("", String::concat);
        for (String action :
                List.of("begin", "stamp", "store", "hear", "retire", "read", "end", "give-up", "restart")) {
            assertThat(all).contains("<<\"" + action + "\"");
        }
    }

    @Test
    void verifiersFindNothingWrongWithSuchPlans() {
        assertThat(LongStream.range(1, 10).mapToObj(seed -> CheckedRun.of(Kind.TRACES, seed, Bug.NONE)))
                .allMatch(run -> run.complaint() == null);
    }
}
