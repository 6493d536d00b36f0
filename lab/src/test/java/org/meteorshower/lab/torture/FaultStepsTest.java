/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FaultStepsTest {
    private static final Map<String, Integer> FIRST = counts(1, 1, 1);

    private static Map<String, Integer> counts(int eu, int us, int asia) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        counts.put("eu", eu);
        counts.put("us", us);
        counts.put("asia", asia);
        return counts;
    }

    private static List<String> steps(FaultKind kind, Map<String, Integer> now) {
        return new FaultSteps(FIRST)
                .of(new Fault(kind, "us", 1, 2, 3), now).stream()
                        .map(fault -> fault.kind().word() + " " + fault.dc())
                        .toList();
    }

    @Test
    void aNodeJoinsWhereNoneHasYet() {
        assertThat(steps(FaultKind.JOIN, FIRST)).containsExactly("join us");
    }

    @Test
    void theOneMoreThatThereIsLeavesBeforeAnotherJoins() {
        assertThat(steps(FaultKind.JOIN, counts(2, 1, 1))).containsExactly("decommission eu", "join us");
    }

    @Test
    void aNodeJoinsFirstWhereNoneCouldLeaveOrHoldASecondReplica() {
        assertThat(steps(FaultKind.DECOMMISSION, FIRST)).containsExactly("join us", "decommission us");
        assertThat(steps(FaultKind.RF, FIRST)).containsExactly("join us", "rf us");
    }

    @Test
    void aNodeLeavesWhereThereIsOneMore() {
        assertThat(steps(FaultKind.DECOMMISSION, counts(1, 1, 2))).containsExactly("decommission asia");
        assertThat(steps(FaultKind.RF, counts(1, 1, 2))).containsExactly("rf asia");
    }

    @Test
    void otherFaultsTakeOneStep() {
        assertThat(steps(FaultKind.KILL, counts(2, 1, 1))).containsExactly("kill us");
    }
}
