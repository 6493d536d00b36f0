/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class OutageTest {
    @Test
    void theLongestSilenceLiesBetweenAnswersOrAtTheEnds() {
        SessionLog log = new SessionLog("s00");
        log.read("k/1", null, 0, 100);
        log.read("k/1", null, 100, 200);
        log.unknownWrite("k/1", "v", 200, 1);
        log.read("k/1", null, 900, 1_000);
        assertThat(Outage.longestSilence(log.operations(), 150, 1_100)).isEqualTo(800);
        assertThat(Outage.longestSilence(log.operations(), 150, 3_000)).isEqualTo(2_000);
        assertThat(Outage.longestSilence(log.operations(), 500, 1_000)).isEqualTo(500);
    }
}
