/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class MachineLoadTest {
    @Test
    void sharesAreOfTheTimeBetweenTwoLooks() {
        MachineLoad before = MachineLoad.of(1, List.of("cpu  100 0 100 800 0 0 0 0 0 0"));
        MachineLoad after = MachineLoad.of(2, List.of("cpu  150 0 120 820 0 0 0 10 0 0"));
        assertThat(after.busySince(before)).isEqualTo(0.8, within(1e-9));
        assertThat(after.stolenSince(before)).isEqualTo(0.1, within(1e-9));
    }

    @Test
    void processorsAreThoseThatTheTicksAreOfAlsoWhereThisProcessMayUseFewer() {
        String all = "cpu  100 0 100 800 0 0 0 0 0 0";
        assertThat(MachineLoad.of(
                                1,
                                Stream.of(all, all, all, all, all, all, all, all)
                                        .toList())
                        .processors())
                .isEqualTo(7);
        assertThat(MachineLoad.of(1, List.of(all)).processors()).isEqualTo(MachineLoad.cores());
    }

    @Test
    void whereTheSystemDoesNotTellNothingIsClaimed() {
        MachineLoad unknown = MachineLoad.of(Double.NaN, List.of());
        assertThat(unknown.busySince(unknown)).isNaN();
        assertThat(unknown.stolenSince(unknown)).isNaN();
    }
}
