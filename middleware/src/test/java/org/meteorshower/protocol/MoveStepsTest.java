/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.MoveSteps.Step;

/** What a node does next after a change of the ring. */
class MoveStepsTest {
    private static final UUID NOW = Put.TABLE;
    private static final UUID BEFORE = new UUID(0, 2);

    private final ScriptedCluster cluster = ScriptedCluster.unstarted(3, 2, TestSettings.plain());
    private final NodeId gone = NodeId.of(8);
    private final Map<UUID, Set<ReplicaGroup>> groups = new HashMap<>();
    private final Set<NodeId> ring = new HashSet<>(cluster.group().members());

    MoveStepsTest() {
        groups.put(NOW, Set.of(cluster.group()));
        groups.put(BEFORE, Set.of(ReplicaGroup.majority(NodeId.of(1), NodeId.of(2), gone)));
        for (int i = 1; i <= 3; i++) {
            cluster.node(i).start(Recovery.none(1));
        }
        cluster.run(100);
    }

    private Step nextAt(int node, List<UUID> earlier) {
        return nextAt(node, earlier, false);
    }

    private Step nextAt(int node, List<UUID> earlier, boolean opens) {
        Placement placement = new Placement() {
            @Override
            public ReplicaGroup replicasOf(PartitionKey key) {
                return cluster.group();
            }

            @Override
            public Set<ReplicaGroup> groupsOf(UUID table) {
                return groups.get(table);
            }
        };
        return new MoveSteps(NodeId.of(node), placement, ring::contains, opens)
                .next(cluster.node(node).core().view(), NOW, true, earlier);
    }

    private void allFollow() {
        for (int node = 1; node <= 3; node++) {
            cluster.node(node).step(new Event.TableFollowed(NOW));
        }
        cluster.run(200);
    }

    private void follow(int... nodes) {
        for (int node : nodes) {
            cluster.node(node).step(new Event.TableMoved(NOW, null, false));
        }
        cluster.run(50);
    }

    @Test
    void aReplicaRepairsOnceAllWhoShareThePartitionsFollow() {
        follow(1, 2);
        assertThat(nextAt(1, List.of())).isEqualTo(Step.WAIT);

        follow(3);
        assertThat(nextAt(1, List.of())).isEqualTo(Step.FOLLOWED);
        allFollow();
        assertThat(nextAt(1, List.of())).isEqualTo(Step.REPAIR);
    }

    @Test
    void alsoThoseWhoSharedThemBefore() {
        ring.add(gone);
        follow(1, 2, 3);

        assertThat(nextAt(1, List.of(BEFORE))).isEqualTo(Step.WAIT);
    }

    @Test
    void butNotThoseWhoAreOffTheRing() {
        follow(1, 2, 3);
        allFollow();

        assertThat(nextAt(1, List.of(BEFORE))).isEqualTo(Step.REPAIR);
    }

    @Test
    void theEarlierNameIsForgottenWhenThePresentOneIsServed() {
        follow(1, 2, 3);
        for (int i = 1; i <= 3; i++) {
            assertThat(nextAt(1, List.of(BEFORE))).isNotEqualTo(Step.FORGET);
            cluster.node(i).step(new Event.BaselineConfirmed(NOW));
            cluster.run(50);
        }

        assertThat(nextAt(1, List.of(BEFORE))).isEqualTo(Step.FORGET);
        assertThat(nextAt(1, List.of())).isEqualTo(Step.WAIT);
    }

    @Test
    void whereMovedTablesAreUsedAgainBeforeTheRepairTheyAreOpenedOnceAllSayThatAllFollow() {
        follow(1, 2);
        assertThat(nextAt(1, List.of(BEFORE), true)).isEqualTo(Step.WAIT);

        follow(3);
        for (int node = 1; node <= 3; node++) {
            assertThat(nextAt(1, List.of(BEFORE), true)).isEqualTo(node == 1 ? Step.FOLLOWED : Step.WAIT);
            cluster.node(node).step(new Event.TableFollowed(NOW));
            cluster.run(200);
        }
        assertThat(nextAt(1, List.of(BEFORE), true)).isEqualTo(Step.OPEN);
        cluster.node(1).step(new Event.TableOpened(NOW));
        assertThat(nextAt(1, List.of(BEFORE), true)).isEqualTo(Step.REPAIR);
        cluster.node(1).step(new Event.TableRepaired(NOW));
        assertThat(nextAt(1, List.of(BEFORE), true)).isEqualTo(Step.WAIT);
    }

    @Test
    void whoIsNoReplicaNowForgetsAtOnceAndRepairsNothing() {
        groups.put(NOW, Set.of(ReplicaGroup.majority(NodeId.of(2), NodeId.of(3), gone)));
        follow(1, 2, 3);

        assertThat(nextAt(1, List.of(BEFORE))).isEqualTo(Step.FORGET);
        assertThat(nextAt(1, List.of())).isEqualTo(Step.WAIT);
    }
}
