/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.meteorshower.cassandra.placement.RingPlacement;
import org.meteorshower.protocol.NodeId;

class StrangersTest {
    /** Else what comes in just then would be told to nobody. */
    @Test
    void ofATableThatIsNotPlacedYetAllMayBeHeld() {
        NodeId self = NodeId.of(1);
        assertThat(new Strangers(self, new RingPlacement(self)).areHeld(new UUID(1, 2), List.of()))
                .isTrue();
    }
}
