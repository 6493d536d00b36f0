/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lead: a write's timestamp lies about where the w-th replica will apply it. */
class LeadTest {
    private final ScriptedCluster cluster =
            ScriptedCluster.unstarted(3, 2, TestSettings.plain().withLead());

    @BeforeEach
    void measureTheDelays() {
        cluster.oneWayMillis(1, 2, 40).oneWayMillis(1, 3, 90).oneWayMillis(2, 3, 60);
        cluster.startAll();
        cluster.run(3_000);
    }

    @Test
    void aTimestampLeadsByTheOneWayDelayToTheWthNearestReplica() {
        assertThat(cluster.node(1).write("a", 0).timestampMicros() - cluster.nowMicros)
                .isCloseTo(40_000, within(8_000L));
        assertThat(cluster.node(3).write("b", 0).timestampMicros() - cluster.nowMicros)
                .isCloseTo(60_000, within(8_000L));
    }

    @Test
    void theLeadUsesThePhysicalClockAndNeverFeedsOnItself() {
        for (int i = 0; i < 200; i++) {
            ScriptedNode.Write write = cluster.node(1).write("v" + i, 0);
            cluster.node(1).apply(write.put());
            cluster.node(2).apply(write.put());
            cluster.run(10);
        }

        for (int i = 1; i <= 3; i++) {
            ScriptedNode node = cluster.node(i);
            assertThat(node.core().view().hybridClockMicros() - node.wallMicros())
                    .isLessThan(60_000);
        }
    }

    @Test
    void theStampIsAtLeastTheTimestampAndDoesNotRaiseTheClock() {
        Put put = cluster.node(1).write("a", 0).put();

        long stamp = cluster.node(1).apply(put);

        assertThat(stamp).isGreaterThanOrEqualTo(put.id().timestampMicros());
        assertThat(cluster.node(1).core().view().hybridClockMicros()).isLessThan(cluster.nowMicros + 1_000);
    }

    @Test
    void aWriteStaysInvisibleUntilItsTimestampAndReadsNeedNotWaitForIt() {
        cluster.write(1, "before");
        cluster.run(1_000);
        cluster.node(1).apply(cluster.node(1).write("after", 0).put());

        ScriptedNode.Reading reading = cluster.node(1).read(0);

        assertThat(reading.value).isEqualTo("before");
        assertThat(reading.served()).isEqualTo(Served.LOCAL);
    }

    @Test
    void theTimestampIsAboveTheTokenHoweverFarThatIsAhead() {
        long token = cluster.nowMicros + 5_000_000;

        assertThat(cluster.node(1).write("a", token).timestampMicros()).isGreaterThan(token);
    }
}
