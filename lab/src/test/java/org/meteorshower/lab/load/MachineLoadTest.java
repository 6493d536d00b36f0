/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

final class MachineLoadTest {
    @Test
    void sharesAreOfTheTimeBetweenTwoLooks() {
        MachineLoad before = MachineLoad.of(1, "cpu  100 0 100 800 0 0 0 0 0 0");
        MachineLoad after = MachineLoad.of(2, "cpu  150 0 120 820 0 0 0 10 0 0");
        assertThat(after.busySince(before)).isEqualTo(0.8, within(1e-9));
        assertThat(after.stolenSince(before)).isEqualTo(0.1, within(1e-9));
    }

    @Test
    void whereTheSystemDoesNotTellNothingIsClaimed() {
        MachineLoad unknown = MachineLoad.of(Double.NaN, "");
        assertThat(unknown.busySince(unknown)).isNaN();
        assertThat(unknown.stolenSince(unknown)).isNaN();
    }
}
