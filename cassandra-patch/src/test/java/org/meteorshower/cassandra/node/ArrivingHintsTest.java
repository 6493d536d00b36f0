/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.hints.Hint;
import org.apache.cassandra.hints.HintMessage;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.meteorshower.cassandra.store.TestTables;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.ReplicaGroup;

/** Which hints are applied, answered, or put off. */
class ArrivingHintsTest {
    private static final NodeId SELF = new NodeId(new UUID(0, 1));
    private static final NodeId OTHER = new NodeId(new UUID(0, 2));
    private static final NodeId THIRD = new NodeId(new UUID(0, 3));
    private static final TableMetadata ENABLED = TestTables.PAIRS;
    private static final TableMetadata ORDINARY = TestTables.CART;

    private final HintInternals internals = new HintInternals();
    private final List<String> answers = new ArrayList<>();
    private @Nullable ReplicaGroup group = ReplicaGroup.majority(SELF, OTHER, THIRD);
    private boolean isToBeFilled;
    private boolean held;

    private final ArrivingHints hints = new ArrivingHints(
            SELF,
            hint -> internals.mutationFor(SELF.value(), hint),
            ArrivingHintsTest::nameOf,
            key -> group,
            (table, replicas) -> isToBeFilled,
            update -> held,
            new ArrivingHints.Answers() {
                @Override
                public void held(Message<?> message) {
                    answers.add("held");
                }

                @Override
                public void putOff(Message<?> message) {
                    answers.add("put off");
                }
            });

    private static @Nullable UUID nameOf(TableId table) {
        return table.equals(ENABLED.id) ? new UUID(0, 9) : null;
    }

    private static PartitionUpdate update(TableMetadata table) {
        PartitionUpdate.SimpleBuilder builder = PartitionUpdate.simpleBuilder(table, "key");
        if (table.equals(ENABLED)) {
            builder.row().add("a", "x");
        } else {
            builder.row(1).add("a", "x");
        }
        return builder.build();
    }

    private static HintMessage hintFor(NodeId target, PartitionUpdate update) throws ReflectiveOperationException {
        Constructor<HintMessage> made = HintMessage.class.getDeclaredConstructor(UUID.class, Hint.class);
        made.setAccessible(true);
        return made.newInstance(target.value(), Hint.create(new Mutation(update), 1));
    }

    private boolean isApplied(NodeId target, TableMetadata table) throws ReflectiveOperationException {
        return hints.test(Message.out(Verb.HINT_REQ, hintFor(target, update(table))));
    }

    @Test
    void whatTheStoreHasIsAnsweredAndNotApplied() throws Exception {
        held = true;

        assertThat(isApplied(SELF, ENABLED)).isFalse();
        assertThat(answers).containsExactly("held");
    }

    @Test
    void whatTheStoreHasNotIsApplied() throws Exception {
        assertThat(isApplied(SELF, ENABLED)).isTrue();
        assertThat(answers).isEmpty();
    }

    @Test
    void whileTheNodeIsFilledAllArePutOff() throws Exception {
        isToBeFilled = true;
        held = true;

        assertThat(isApplied(SELF, ENABLED)).isFalse();
        assertThat(answers).containsExactly("put off");
    }

    @Test
    void ordinaryTablesAreCassandrasMatter() throws Exception {
        isToBeFilled = true;
        held = true;

        assertThat(isApplied(SELF, ORDINARY)).isTrue();
        assertThat(answers).isEmpty();
    }

    /** One that it is to pass on, or holds no more. */
    @Test
    void soAreThoseForOthers() throws Exception {
        isToBeFilled = true;
        held = true;

        assertThat(isApplied(OTHER, ENABLED)).isTrue();
        group = ReplicaGroup.majority(OTHER, THIRD);
        assertThat(isApplied(SELF, ENABLED)).isTrue();
        assertThat(answers).isEmpty();
    }

    @Test
    void whatClientsWriteIsApplied() {
        held = true;

        assertThat(hints.test(Message.out(Verb.MUTATION_REQ, new Mutation(update(ENABLED)))))
                .isTrue();
        assertThat(answers).isEmpty();
    }
}
