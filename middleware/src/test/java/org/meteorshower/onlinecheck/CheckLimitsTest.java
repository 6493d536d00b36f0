/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.onlinecheck;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.ReplicaGroup;

final class CheckLimitsTest {
    private static final NodeId NODE = NodeId.of(1);
    private static final ReplicaGroup GROUP = ReplicaGroup.majority(NODE);

    @Test
    void whatTheCheckerHoldsStaysWithinItsBytesAndTheRestIsCounted() {
        CheckLimits limits = CheckLimits.ofAnswers(20_000).within(100_000);
        OnlineChecker checker =
                new OnlineChecker(limits, update -> new WrittenCells(Map.of(), WrittenCells.HIDES_NOTHING), 0);
        for (int each = 0; each < 5_000; each++) {
            PartitionKey key = new PartitionKey(
                    new UUID(0, 1), ByteBuffer.allocate(4).putInt(each % 500).array());
            checker.saw(new Observation.Stamped(key, GROUP, new MutationId(each + 1, each), NODE, each + 2, null), 0);
            checker.saw(new Observation.Answered(new Answer(key, 0, each, Map.of(), Set.of(), null)), 0);
            assertThat(checker.heldBytes()).isBetween(1L, 100_000L);
        }

        assertThat(checker.figures().overflowed()).isGreaterThan(4_000);
    }

    @Test
    void roomThatIsLargeChangesNothing() {
        assertThat(CheckLimits.DEFAULTS.within(1L << 30)).isEqualTo(CheckLimits.DEFAULTS);
    }
}
