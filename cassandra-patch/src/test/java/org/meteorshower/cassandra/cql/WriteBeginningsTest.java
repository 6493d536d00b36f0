/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.junit.jupiter.api.Test;
import org.meteorshower.cassandra.store.TestTables;
import org.meteorshower.cassandra.tables.EnabledTables;
import org.meteorshower.cassandra.tables.GivenTables;
import org.meteorshower.cassandra.tables.LeaseHolders;
import org.meteorshower.cassandra.tables.TableOptions;
import org.meteorshower.protocol.Effect;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.ReplicaGroup;
import org.meteorshower.runtime.RequestRefusedException;

/** Which writes get their timestamp at another node. */
class WriteBeginningsTest {
    private static final NodeId SELF = Door.SELF;
    private static final NodeId A = new NodeId(new UUID(0, 11));
    private static final NodeId B = new NodeId(new UUID(0, 12));
    private static final PartitionKey HELD = key(1);
    private static final PartitionKey ELSEWHERE = key(2);
    private static final PartitionKey AT_B = key(3);
    private static final PartitionKey AT_A_ALONE = key(4);
    private static final PartitionKey ORDINARY = key(5);
    private static final UUID PAIRS = TableOptions.DEFAULT.epoch().idOf(TestTables.PAIRS.id);
    private static final PartitionKey THREE = new PartitionKey(PAIRS, new byte[] {1});
    private static final PartitionKey NOT_HERE = new PartitionKey(PAIRS, new byte[] {2});
    private static final Map<PartitionKey, ReplicaGroup> GROUPS = Map.of(
            HELD, new ReplicaGroup(List.of(SELF, A), 2, true),
            ELSEWHERE, new ReplicaGroup(List.of(A, B), 2, true),
            AT_B, new ReplicaGroup(List.of(SELF, B), 2, true),
            AT_A_ALONE, new ReplicaGroup(List.of(A), 1, true),
            ORDINARY, new ReplicaGroup(List.of(A, B), 2, false),
            THREE, new ReplicaGroup(List.of(SELF, A, B), 2, true),
            NOT_HERE, new ReplicaGroup(List.of(A, B), 2, true));

    private boolean holds = true;
    private boolean holdsElsewhere = true;
    private final EnabledTables enabled = new EnabledTables();
    private final Map<NodeId, String> dataCentres = Map.of(SELF, "here", A, "a", B, "b");
    private final LeaseHolders holders = new LeaseHolders(enabled, dataCentres::get, node -> true);
    private final List<NodeId> asked = new ArrayList<>();
    private final WriteBeginnings beginnings = new WriteBeginnings(
            SELF,
            GROUPS::get,
            holders,
            (keys, token, strict, deadline) -> {
                asked.add(SELF);
                if (!holds) {
                    throw new RequestRefusedException(Effect.Failure.NOT_READY, "no lease");
                }
                return null;
            },
            (replicas, keys, token, strict, deadline) -> {
                asked.addAll(replicas);
                if (!holdsElsewhere) {
                    throw new RequestRefusedException(Effect.Failure.NOT_READY, "no lease there");
                }
                return null;
            });

    private static PartitionKey key(int number) {
        return new PartitionKey(new UUID(7, 7), new byte[] {(byte) number});
    }

    private List<NodeId> askedFor(PartitionKey... keys) throws Exception {
        asked.clear();
        Door door = new Door();
        beginnings.begin(
                List.of(keys), Session.of(null, door.tokens, door.shared), System.nanoTime() + 60_000_000_000L);
        return asked;
    }

    @Test
    void whatThisNodeHoldsOrIsOrdinaryBeginsHere() throws Exception {
        assertThat(askedFor(HELD)).containsExactly(SELF);
        assertThat(askedFor(ORDINARY)).containsExactly(SELF);
        assertThat(askedFor(ORDINARY, HELD, AT_B)).containsExactly(SELF);
    }

    @Test
    void elseOneThatHoldsAllOfItIsAsked() throws Exception {
        assertThat(askedFor(ELSEWHERE)).containsExactly(A, B);
        assertThat(askedFor(ELSEWHERE, AT_B)).containsExactly(B);
        assertThat(askedFor(HELD, ELSEWHERE, AT_A_ALONE)).containsExactly(A);
        assertThat(askedFor(ORDINARY, AT_A_ALONE)).containsExactly(A);
    }

    @Test
    void whereThisNodeHoldsNoLeaseAnotherReplicaIsAskedAndThisOneNowAndThen() throws Exception {
        holds = false;
        assertThat(askedFor(HELD)).containsExactly(SELF, A);
        assertThat(askedFor(HELD)).as("not for a while").containsExactly(A);
        TimeUnit.MILLISECONDS.sleep(1_100);
        holds = true;
        assertThat(askedFor(HELD)).containsExactly(SELF);
        assertThat(askedFor(HELD)).containsExactly(SELF);
    }

    @Test
    void whoIsNotToHoldAsksOneThatIsAndHoldsWhereThatCannot() throws Exception {
        enable("strict=home,holders=a");
        assertThat(askedFor(THREE)).containsExactly(A);
        assertThat(askedFor(NOT_HERE)).as("not a replica either").containsExactly(A);
        holdsElsewhere = false;
        assertThat(askedFor(THREE)).containsExactly(A, SELF);
        holders.silent(Set.of(A));
        assertThat(askedFor(THREE)).as("nobody waits for the silent").containsExactly(SELF);
        holders.silent(Set.of());
        holdsElsewhere = true;
        enable("strict=home,holders=here+b");
        assertThat(askedFor(THREE)).containsExactly(SELF);
        enable("strict=home,holders=gone");
        assertThat(askedFor(THREE)).as("none of them is a replica").containsExactly(SELF);
    }

    private void enable(String options) {
        GivenTables.enable(enabled, TableOptions.parse(options), TestTables.PAIRS);
    }

    @Test
    void aBatchThatNoNodeCanBeginIsRefusedAndTheErrorSaysWhatToDo() {
        assertThatThrownBy(() -> askedFor(AT_B, AT_A_ALONE))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("no replica in common")
                .hasMessageContaining("write them apart");
    }
}
