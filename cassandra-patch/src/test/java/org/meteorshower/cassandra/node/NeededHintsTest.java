/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.UnknownHostException;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.meteorshower.cassandra.store.TestTables;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.ReplicaGroup;

/** Which hints are kept while a peer is left behind. */
class NeededHintsTest {
    private static final NodeId SELF = new NodeId(new UUID(0, 1));
    private static final NodeId BEHIND = new NodeId(new UUID(0, 2));
    private static final NodeId OTHER = new NodeId(new UUID(0, 3));
    private static final TableMetadata ENABLED = TestTables.PAIRS;
    private static final TableMetadata ORDINARY = TestTables.CART;

    private @Nullable ReplicaGroup group = ReplicaGroup.majority(SELF, BEHIND, OTHER);
    private final NeededHints hints = new NeededHints(
            SELF,
            table -> table.equals(ENABLED.id) ? new UUID(0, 9) : null,
            key -> group,
            address -> new UUID(0, address.getAddress().getAddress()[3]));

    private static PartitionUpdate update(TableMetadata table) {
        PartitionUpdate.SimpleBuilder builder = PartitionUpdate.simpleBuilder(table, "key");
        if (table.equals(ENABLED)) {
            builder.row().add("a", "x");
        } else {
            builder.row(1).add("a", "x");
        }
        return builder.build();
    }

    private static Replica at(NodeId node) throws UnknownHostException {
        return Replica.fullReplica(
                InetAddressAndPort.getByName("127.0.0." + node.value().getLeastSignificantBits()),
                Murmur3Partitioner.instance.getMinimumToken(),
                Murmur3Partitioner.instance.getMinimumToken());
    }

    private boolean isKept(TableMetadata table, NodeId target) throws UnknownHostException {
        return hints.isNeeded(new Mutation(update(table)), at(target));
    }

    @Test
    void noneOfAnEnabledTableForAPeerThatWasLeftBehind() throws Exception {
        hints.leftBehind(Set.of(BEHIND));

        assertThat(isKept(ENABLED, BEHIND)).isFalse();
        assertThat(isKept(ENABLED, OTHER)).isTrue();
        assertThat(isKept(ORDINARY, BEHIND)).isTrue();
    }

    @Test
    void allAgainWhenItIsBack() throws Exception {
        hints.leftBehind(Set.of(BEHIND));
        hints.leftBehind(Set.of());

        assertThat(isKept(ENABLED, BEHIND)).isTrue();
    }

    @Test
    void thoseOfPartitionsThatThisNodeDoesNotHold() throws Exception {
        hints.leftBehind(Set.of(BEHIND));
        group = ReplicaGroup.majority(BEHIND, OTHER);
        assertThat(isKept(ENABLED, BEHIND)).isTrue();

        group = ReplicaGroup.majority(SELF, OTHER); // it is the next epoch's alone
        assertThat(isKept(ENABLED, BEHIND)).isTrue();

        group = null;
        assertThat(isKept(ENABLED, BEHIND)).isTrue();
    }

    @Test
    void thoseOfABatchThatAnOrdinaryTableIsInToo() throws Exception {
        hints.leftBehind(Set.of(BEHIND));
        PartitionUpdate ordinary = update(ORDINARY);
        Mutation both = Mutation.merge(List.of(new Mutation(update(ENABLED)), new Mutation(ordinary)));

        assertThat(hints.isNeeded(both, at(BEHIND))).isTrue();
    }
}
