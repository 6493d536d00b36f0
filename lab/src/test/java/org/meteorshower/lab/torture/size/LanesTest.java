/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

final class LanesTest {
    private final Lanes lanes = new Lanes();

    @Test
    void whoLeadsFromTheStartHasNotTakenOver() {
        lanes.saw(1, "eu-1", Set.of("eu"), false);
        lanes.saw(1, "us-1", Set.of("us"), false);
        lanes.saw(2, "eu-1", Set.of("eu"), false);

        assertThat(lanes.changes()).isEmpty();
    }

    @Test
    void aLaneThatIsTakenOverAndComesBackHasChangedTwice() {
        lanes.saw(1, "eu-1", Set.of("eu"), false);
        lanes.saw(1, "us-1", Set.of("us"), false);
        lanes.saw(2, "us-1", Set.of("us", "eu"), false);
        lanes.saw(2, "eu-1", Set.of("eu"), false); // it does not know yet
        lanes.saw(3, "eu-1", Set.of(), false);
        lanes.saw(4, "eu-1", Set.of("eu"), false);

        assertThat(lanes.unprovoked()).isEqualTo(2);
        assertThat(lanes.changes()).extracting(Lanes.Change::to).containsExactly("us-1", "eu-1");
    }

    @Test
    void changesUnderAFaultAreExcusedAndKept() {
        lanes.saw(1, "asia-1", Set.of("asia"), false);
        lanes.saw(2, "us-1", Set.of("asia"), true);

        assertThat(lanes.unprovoked()).isZero();
        assertThat(lanes.changes()).hasSize(1);
    }

    @Test
    void aNodeThatHasEndedMustTakeItsLaneAnew() {
        lanes.saw(1, "eu-1", Set.of("eu"), false);
        lanes.saw(2, "us-1", Set.of("eu"), false);
        lanes.ended("eu-1");
        lanes.saw(3, "eu-1", Set.of("eu"), false);

        assertThat(lanes.unprovoked()).isEqualTo(2);
    }
}
