/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Reads by a table's earlier name, at a replica that does not hold it by the next one and has not heard of that; and
 * writes that node 5 began, which holds nothing of the partition. A session that has written reads no older value.
 */
class EarlierNameTest {
    private static final UUID NEXT = new UUID(0, 2);
    private static final PartitionKey NEXT_KEY = new PartitionKey(NEXT, Put.KEY.bytes());
    private static final NodeId WRITER = NodeId.of(5);

    private final ScriptedCluster cluster = ScriptedCluster.unstarted(5, 2, TestSettings.plain());

    private static ReplicaGroup group(int... members) {
        return ReplicaGroup.majority(IntStream.of(members).mapToObj(NodeId::of).toArray(NodeId[]::new));
    }

    private void begin(ReplicaGroup before, ReplicaGroup after) {
        cluster.place(Put.TABLE, before);
        cluster.place(NEXT, after);
        cluster.startAll();
    }

    private void follow(Set<NodeId> ring, int... numbers) {
        for (int number : numbers) {
            ScriptedNode node = cluster.node(number);
            node.tableName = NEXT;
            node.step(new Event.TableMoved(NEXT, Put.TABLE, true));
            node.step(new Event.TableLeft(Put.TABLE));
            node.step(new Event.PeersChanged(ring));
        }
        cluster.run(100);
    }

    private void open(int... numbers) {
        for (int number : numbers) {
            cluster.node(number).step(new Event.TableFollowed(NEXT));
        }
        cluster.run(100);
        for (int number : numbers) {
            cluster.node(number).step(new Event.TableOpened(NEXT));
        }
        cluster.run(100);
    }

    /** It was replaced while it lived: the others tell it nothing more once they follow. */
    @Test
    void atOneThatIsOffTheRing() {
        begin(group(1, 2, 3), group(2, 3, 4));
        Set<NodeId> ring = new LinkedHashSet<>(cluster.group().members());
        ring.remove(NodeId.of(1));
        follow(ring, 2, 4, 5);
        ScriptedNode.Write write = cluster.node(5).write(NEXT_KEY, "by the next name");
        cluster.node(2).applyFrom(WRITER, write.put());
        cluster.node(4).applyFrom(WRITER, write.put());
        cluster.run(200); // meanwhile node 3 tells node 1
        assertThat(write.isDone()).isFalse();

        follow(ring, 3);
        open(2, 3, 4);
        assertThat(write.isDone()).isTrue();
        assertThat(cluster.node(1).read(write.tokenMicros).waits()).isTrue();
    }

    /**
     * Cassandra's ring, by which a write is sent, may be the next one before any node follows: then the coordinator
     * does not get the mutation itself, does not know its name, and can count no announcement of it.
     */
    @Test
    void aCoordinatorThatLosesThePartitionIsToldByEachThatStays() {
        begin(group(1, 2, 3, 5), group(1, 2, 3));
        Set<NodeId> ring = new LinkedHashSet<>(cluster.group().members());
        cluster.lose(message -> message instanceof Message.Settle || message instanceof Message.Fetch);
        ScriptedNode.Write write = cluster.node(5).write("by the earlier name", 0);
        for (int stays = 1; stays <= 2; stays++) {
            cluster.run(5); // so that the announcement goes out with the acknowledgement, and stands for it
            cluster.node(stays).applyFrom(WRITER, write.put());
        }
        cluster.run(100);
        assertThat(write.isDone()).isFalse();

        follow(ring, 1, 2, 3, 5);
        cluster.node(3).applyFrom(WRITER, write.put().named(NEXT)); // which comes when it follows
        open(1, 2, 3);
        assertThat(write.isDone()).isTrue();
    }

    /** It follows first, and holds nothing of the partition, so its writes do not wait. */
    @Test
    void aCoordinatorThatWentAheadIsToldByThoseThatStampByTheEarlierName() {
        begin(group(1, 2, 3, 5), group(1, 2, 3));
        Set<NodeId> ring = new LinkedHashSet<>(cluster.group().members());
        cluster.lose(message -> message instanceof Message.Settle || message instanceof Message.Fetch);
        follow(ring, 5);
        ScriptedNode.Write write = cluster.node(5).write(NEXT_KEY, "by the next name");
        for (int stays = 1; stays <= 3; stays++) {
            cluster.run(5);
            cluster.node(stays).applyFrom(WRITER, write.put().named(Put.TABLE));
        }
        follow(ring, 1, 2, 3);
        open(1, 2, 3);
        assertThat(write.isDone()).isTrue();
    }

    /** A client's request may have looked the name up just before its node followed. */
    @Test
    void aWriteThatBeginsByTheNameThatWasLeftIsOneByTheNext() {
        begin(group(1, 2, 3), group(1, 2, 3, 4));
        Set<NodeId> ring = new LinkedHashSet<>(cluster.group().members());
        follow(ring, 1, 2, 3, 4, 5);
        open(1, 2, 3, 4);
        ScriptedNode.Write write = cluster.node(5).write("by the earlier name", 0);
        for (int holds = 1; holds <= 4; holds++) {
            cluster.node(holds).applyFrom(WRITER, write.put().named(NEXT));
        }
        cluster.run(100);
        assertThat(write.isDone()).isTrue();
    }

    @Test
    void aCoordinatorThatGainsThePartitionIsToldToo() {
        begin(group(1, 2, 3), group(1, 2, 3, 5));
        Set<NodeId> ring = new LinkedHashSet<>(cluster.group().members());
        cluster.lose(message -> message instanceof Message.Settle || message instanceof Message.Fetch);
        ScriptedNode.Write write = cluster.node(5).write("by the earlier name", 0);
        follow(ring, 1, 2, 3, 5);
        for (int stays = 1; stays <= 3; stays++) {
            cluster.run(5);
            cluster.node(stays).applyFrom(WRITER, write.put().named(NEXT));
        }
        open(1, 2, 3, 5);
        assertThat(write.isDone()).isTrue();
    }

    /** By no name that it knows would the mutation be stamped: it must not take the first offer for one that it has. */
    @Test
    void whatIsSentByTheNextNameIsNotTakenByWhoDoesNotKnowIt() {
        begin(group(1, 2, 3), group(1, 2, 3));
        Set<NodeId> ring = new LinkedHashSet<>(cluster.group().members());
        follow(ring, 1, 2, 5);
        ScriptedNode.Write write = cluster.node(5).write(NEXT_KEY, "by the next name");
        cluster.node(1).applyFrom(WRITER, write.put());
        cluster.node(3).tableName = NEXT; // mutations wait for its core to follow
        cluster.run(1_000); // node 1 offers it
        follow(ring, 3);
        open(1, 2, 3);
        cluster.run(2_000);
        assertThat(cluster.node(1).core().view().recordCount()).isZero();
    }

    /** Half of the replicas go at once, and all that stay have the write: too few to be visible by the earlier name. */
    @Test
    void atOneThatIsToFollow() {
        begin(group(1, 2, 3, 4), group(1, 2));
        Set<NodeId> ring = new LinkedHashSet<>(cluster.group().members());
        cluster.lose(message -> message instanceof Message.Settle || message instanceof Message.Fetch);
        ScriptedNode.Write write = cluster.node(5).write("by the earlier name", 0);
        for (int stays = 1; stays <= 2; stays++) {
            cluster.node(stays).stamp(write.put());
            cluster.node(stays).land(write.put());
        }
        follow(ring, 1, 2, 5);
        for (int stays = 1; stays <= 2; stays++) {
            cluster.node(stays).acknowledge(write);
        }
        cluster.run(100);

        boolean shown = !cluster.node(4)
                .read(write.tokenMicros == null ? 0 : write.tokenMicros)
                .waits();
        assertThat(write.isDone() && shown).isFalse();
        follow(ring, 3, 4);
        open(1, 2);
        for (int stays = 1; stays <= 2; stays++) {
            cluster.node(stays).applyFrom(WRITER, write.put().named(NEXT));
        }
        cluster.run(100);
        assertThat(write.isDone()).isTrue();
    }
}
