/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class AssignmentTest {
    @Test
    void aNodesRangesAreDealtOutAndAllOthersStay() {
        assertThat(new Assignment(3, List.of(0, 1, 2, 1)).without(1, List.of(0, 2)))
                .isEqualTo(new Assignment(4, List.of(0, 0, 2, 2)));
    }

    @Test
    void ofAnAssignmentAfterAnotherALifeIsYounger() {
        Life first = new Life(1, 5, 9);

        assertThat(first).isLessThan(first.in(2)).isLessThan(first.begunAnew()).isLessThan(new Life(1, 6, 0));
    }
}
