/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

final class TrafficSimulationTest {
    private static double near(double value) {
        return value * 0.05;
    }

    @Test
    void whatANodeSendsDoesNotGrowWithAClusterInWhichItHasAsManyPeers() {
        for (double writes : new double[] {0, 20}) {
            TrafficFigures small = new TrafficSimulation(9, 1, writes).run();
            TrafficFigures large = new TrafficSimulation(90, 1, writes).run();

            assertThat(small.peers()).isEqualTo(4);
            assertThat(large.peers()).isEqualTo(4);
            // To each peer one message in ten milliseconds at the least; where nothing happens, one in a hundred.
            assertThat(small.messages())
                    .isBetween(writes == 0 ? 4 * 9.0 : 4 * 80.0, writes == 0 ? 4 * 12.0 : 4 * 200.0);
            assertThat(large.messages()).isCloseTo(small.messages(), within(near(small.messages())));
            assertThat(large.bytes()).isCloseTo(small.bytes(), within(near(small.bytes())));
        }
    }

    @Test
    void writesCostBytesAndManyTokensMakeMorePeers() {
        TrafficFigures idle = new TrafficSimulation(30, 1, 0).run();
        TrafficFigures busy = new TrafficSimulation(30, 1, 20).run();
        TrafficFigures strewn = new TrafficSimulation(30, 16, 0).run();

        assertThat(busy.bytes()).isGreaterThan(idle.bytes() * 1.1);
        assertThat(strewn.peers()).isGreaterThan(10);
        assertThat(strewn.messages() / strewn.peers())
                .isCloseTo(idle.messages() / idle.peers(), within(near(idle.messages() / idle.peers())));
    }

    @Test
    void everySegmentHasAReplicaInEachDataCentreAndTheyAreEachOthersPeers() {
        EvenRing ring = new EvenRing(12, 3);
        for (int segment = 0; segment < ring.segments(); segment++) {
            var members = ring.group(segment).members();
            assertThat(members.stream().map(member -> EvenRing.number(member) / 4))
                    .containsExactly(0, 1, 2);
            for (var member : members) {
                var others = new java.util.TreeSet<>(members);
                others.remove(member);
                assertThat(ring.peers(EvenRing.number(member))).containsAll(others);
            }
        }
    }
}
