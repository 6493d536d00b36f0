/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.NodeSpec;
import org.meteorshower.lab.cluster.NodeStatus;
import org.meteorshower.lab.cluster.NodeStatus.State;

final class RingRulesTest {
    private static final String BY_DC = "org.apache.cassandra.locator.NetworkTopologyStrategy";

    private final List<NodeStatus> nodes = new ArrayList<>();
    private final List<Replication> keyspaces = new ArrayList<>(List.of(
            keyspace("system_traces", Map.of("class", "SimpleStrategy", "replication_factor", "9")),
            keyspace("shop", Map.of("class", BY_DC, "eu", "1", "us", "1"))));

    private static Replication keyspace(String name, Map<String, String> stored) {
        return Replication.of(name, stored);
    }

    private NodeSpec node(String name, State state) {
        NodeSpec spec =
                new NodeSpec(name, name.substring(0, name.indexOf('-')), "127.0.0." + (nodes.size() + 1), nodes.size());
        nodes.add(new NodeStatus(spec, state, 1, 1));
        return spec;
    }

    private RingRules rules() {
        return new RingRules(nodes, keyspaces);
    }

    @Test
    void theLastNodeOfADataCentreStays() {
        NodeSpec eu1 = node("eu-1", State.UP);
        node("us-1", State.UP);

        assertThatThrownBy(() -> rules().requireCanGo(eu1))
                .isInstanceOf(ClusterException.class)
                .hasMessageContaining("eu-1 is the last node of eu")
                .hasMessageContaining("./meteor cluster add eu")
                .hasMessageContaining("./meteor cluster replace eu-1");
    }

    @Test
    void aNodeThatReplicationNeedsStays() {
        node("eu-1", State.UP);
        NodeSpec eu2 = node("eu-2", State.UP);
        node("us-1", State.UP);
        assertThatCode(() -> rules().requireCanGo(eu2)).doesNotThrowAnyException();

        keyspaces.add(keyspace("bank", Map.of("class", BY_DC, "eu", "2")));
        assertThatThrownBy(() -> rules().requireCanGo(eu2))
                .hasMessageContaining("keyspace bank has 2 replicas in eu")
                .hasMessageContaining("without eu-2 only 1 node would be there")
                .hasMessageContaining("./meteor cluster rf eu 1");
    }

    @Test
    void whatDoesNotGoByDataCentresCountsAllNodes() {
        node("eu-1", State.UP);
        NodeSpec eu2 = node("eu-2", State.UP);
        keyspaces.add(keyspace("old", Map.of("class", "SimpleStrategy", "replication_factor", "2")));

        assertThatThrownBy(() -> rules().requireCanGo(eu2)).hasMessageContaining("keyspace old has 2 replicas");
    }

    @Test
    void aRingChangesWhileAllOthersAreUp() {
        node("eu-1", State.UP);
        node("us-1", State.DOWN);
        assertThatThrownBy(() -> rules().requireOthersUp("eu-1"))
                .hasMessageContaining("us-1 is down")
                .hasMessageContaining("./meteor cluster restart us-1");
        assertThatCode(() -> rules().requireOthersUp("us-1")).doesNotThrowAnyException();

        node("asia-1", State.PAUSED);
        assertThatThrownBy(() -> rules().requireOthersUp("us-1"))
                .hasMessageContaining("asia-1 is paused")
                .hasMessageContaining("resume asia-1");
    }

    @Test
    void aDataCentreHoldsNoMoreReplicasThanItHasNodes() {
        node("eu-1", State.UP);
        assertThatCode(() -> rules().requireCanHold("eu", 1)).doesNotThrowAnyException();
        assertThatThrownBy(() -> rules().requireCanHold("eu", 2))
                .hasMessageContaining("eu has 1 node")
                .hasMessageContaining("./meteor cluster add eu");
        assertThatThrownBy(() -> rules().requireCanHold("eu", 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theKeyspacesWithEnabledTablesAreChosenUnlessOthersAreNamed() {
        keyspaces.add(keyspace("bank", Map.of("class", BY_DC, "eu", "1")));
        keyspaces.add(keyspace("old", Map.of("class", "SimpleStrategy", "replication_factor", "1")));

        assertThat(rules().chosen(List.of(), Set.of("shop.cart")))
                .extracting(Replication::keyspace)
                .containsExactly("shop");
        assertThat(rules().chosen(List.of("bank"), Set.of()))
                .extracting(Replication::keyspace)
                .containsExactly("bank");
        assertThatThrownBy(() -> rules().chosen(List.of(), Set.of())).hasMessageContaining("--keyspace");
        assertThatThrownBy(() -> rules().chosen(List.of("shp"), Set.of()))
                .hasMessageContaining("no keyspace is called shp; there are shop, bank, old");
        assertThatThrownBy(() -> rules().chosen(List.of("old"), Set.of())).hasMessageContaining("SimpleStrategy");
    }

    @Test
    void anAlterationLeavesTheOtherDataCentresAsTheyAre() {
        assertThat(keyspaces.get(1).altered("eu", 2))
                .isEqualTo("ALTER KEYSPACE \"shop\" WITH replication = {'class': 'NetworkTopologyStrategy', 'eu': 2,"
                        + " 'us': 1}");
    }

    @Test
    void whatCassandraAsksForIsSaidPlainly() {
        assertThat(Ring.demands("eu", new Ring.Altered(List.of("shop"), List.of())))
                .containsExactly("nodetool repair --full shop   at each node of eu");
        assertThat(Ring.demands("eu", new Ring.Altered(List.of(), List.of("shop"))))
                .containsExactly("nodetool cleanup shop   at each node of eu");
    }

    @Test
    void aTableThatOneNodeDoesNotServeOrKnowIsNamed() {
        assertThat(TableStates.notServed(Map.of("eu-1", Map.of("shop.cart", "served"))))
                .isEmpty();
        assertThat(TableStates.notServed(Map.of("eu-1", Map.of("shop.cart", "its partitions have moved"))))
                .containsExactly("shop.cart is not served at eu-1: its partitions have moved");
        assertThat(TableStates.notServed(new TreeMap<>(
                        Map.of("eu-1", Map.of("shop.cart", "moved"), "us-1", Map.of("shop.cart", "moved")))))
                .containsExactly("shop.cart is not served at eu-1, us-1: moved");
        assertThat(TableStates.notServed(Map.of("eu-1", Map.of("shop.cart", "served"), "eu-2", Map.of())))
                .containsExactly("shop.cart is not served at eu-2: not known there yet");
        assertThat(TableStates.notServed(Map.of(
                        "eu-1",
                        Map.of("shop.cart", "served"),
                        "eu-2",
                        Map.of("shop.cart", "this node holds no replica of it, and forwards its reads"))))
                .isEmpty();
    }
}
