/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FaultPlanTest {
    private static final List<String> DCS = List.of("eu", "us", "asia");
    private static final List<FaultKind> ALL = List.of(FaultKind.values());

    private static List<Fault> first(int count, long seed) {
        FaultPlan plan = new FaultPlan(seed, DCS, ALL);
        return Stream.generate(plan::next).limit(count).toList();
    }

    @Test
    void theSameSeedGivesTheSameFaults() {
        assertThat(first(50, 7)).isEqualTo(first(50, 7)).isNotEqualTo(first(50, 8));
    }

    @Test
    void everyKindComesOnceBeforeAnyComesAgain() {
        assertThat(first(ALL.size(), 3)).extracting(Fault::kind).containsExactlyInAnyOrderElementsOf(ALL);
    }

    @Test
    void aNodeThatStartsAgainIsGivenTimeBeforeTheNextFault() {
        List<Fault> faults = first(60, 5);
        for (int i = 1; i < faults.size(); i++) {
            long least = faults.get(i - 1).kind().restartsNodes() ? 11_000 : 3_000;
            assertThat(faults.get(i).quietMillis()).isBetween(least, least + 3_000);
        }
    }

    @Test
    void anOutageOfADataCentreLastsForMostOfAMinuteAtLeast() {
        assertThat(first(60, 5))
                .filteredOn(fault -> fault.kind() == FaultKind.DC_OUTAGE)
                .isNotEmpty()
                .allMatch(fault -> fault.lengthMillis() >= 40_000 && fault.lengthMillis() < 70_000);
    }

    @Test
    void whatIsNotNamedIsWhatItWas() {
        assertThat(FaultKind.ofReads())
                .extracting(FaultKind::word)
                .containsExactly(
                        "kill",
                        "stop",
                        "rolling_restart",
                        "pause",
                        "cut",
                        "mute",
                        "slow",
                        "loss",
                        "clock",
                        "full_disk",
                        "slow_disk",
                        "replace",
                        "disable",
                        "without_plugin",
                        "upgrade");
        assertThat(FaultKind.named("outage", FaultKind.allOfReads())).isEqualTo(FaultKind.DC_OUTAGE);
        assertThat(FaultKind.named("outage", FaultKind.ofTransactions(3, 1))).isEqualTo(FaultKind.OUTAGE);
    }

    @Test
    void allDataCentresAreStruckInTheEnd() {
        assertThat(first(60, 1)).extracting(Fault::dc).contains("eu", "us", "asia");
    }
}
