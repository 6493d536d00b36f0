/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.exceptions.RequestFailureReason;
import org.apache.cassandra.hints.HintMessage;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.utils.NoSpamLogger;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.read.Lacking;
import org.meteorshower.cassandra.store.CassandraUpdate;
import org.meteorshower.cassandra.store.LocalStore;
import org.meteorshower.cassandra.tables.EnabledTables;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.ReplicaGroup;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A hint of an enabled table whose content this node has is answered and not applied: each one that is applied after
 * all have retired it is news for all replicas. While others bring this node what it missed, hints are put off: most of
 * what they hold is on its way. Called on the thread that would apply it. Thread-safe.
 */
final class ArrivingHints implements Predicate<Message<?>> {
    private static final Logger log = LoggerFactory.getLogger(ArrivingHints.class);

    /** What tells a hint's sender how it went. */
    interface Answers {
        /** It is done with. */
        void held(Message<?> message);

        /** It comes again, ten seconds later or so. */
        void putOff(Message<?> message);
    }

    private final NodeId self;
    private final Function<HintMessage, @Nullable Mutation> mutationOf;
    private final Function<TableId, @Nullable UUID> nameOf;
    private final Function<PartitionKey, @Nullable ReplicaGroup> groupOf;
    private final BiPredicate<UUID, ReplicaGroup> isToBeFilled;
    private final Predicate<CassandraUpdate> isHeld;
    private final Answers answers;

    /**
     * @param mutationOf what a hint brings; null where it is not for this node
     * @param nameOf a table in the middleware; null where it is not enabled, or not followed yet
     * @param groupOf who holds a partition
     * @param isToBeFilled whether others bring this node what it lacks of a table's partitions, by group
     * @param isHeld whether the store would be the same with the update as without it
     */
    ArrivingHints(
            NodeId self,
            Function<HintMessage, @Nullable Mutation> mutationOf,
            Function<TableId, @Nullable UUID> nameOf,
            Function<PartitionKey, @Nullable ReplicaGroup> groupOf,
            BiPredicate<UUID, ReplicaGroup> isToBeFilled,
            Predicate<CassandraUpdate> isHeld,
            Answers answers) {
        this.self = self;
        this.mutationOf = mutationOf;
        this.nameOf = nameOf;
        this.groupOf = groupOf;
        this.isToBeFilled = isToBeFilled;
        this.isHeld = isHeld;
        this.answers = answers;
    }

    /** From now on Cassandra asks. */
    static void install(
            NodeId self, HintInternals internals, EnabledTables enabled, ProtocolPart protocol, Lacking lacking) {
        MessagingService.instance()
                .inboundSink
                .add(new ArrivingHints(
                        self,
                        hint -> enabled.none() ? null : internals.mutationFor(self.value(), hint),
                        enabled::idOf,
                        protocol.placement::groupOf,
                        (table, group) -> protocol.store.isCatchingUp() || lacking.isToBeFilled(table, group),
                        LocalStore::holds,
                        new ByMessage()));
    }

    @Override
    public boolean test(Message<?> message) {
        if (message.verb() != Verb.HINT_REQ || !(message.payload instanceof HintMessage hint)) {
            return true;
        }
        Mutation mutation = mutationOf.apply(hint);
        return mutation == null || isTaken(message, mutation);
    }

    /** One of an ordinary table, also where it comes together with others, is Cassandra's own matter. */
    private boolean isTaken(Message<?> message, Mutation mutation) {
        List<CassandraUpdate> updates = new ArrayList<>();
        for (PartitionUpdate update : mutation.getPartitionUpdates()) {
            UUID name = nameOf.apply(update.metadata().id);
            if (name == null) {
                return true;
            }
            ReplicaGroup group = groupOf.apply(
                    CassandraUpdate.keyOf(name, update.partitionKey().getKey()));
            if (group == null || !group.contains(self)) {
                return true;
            }
            if (isToBeFilled.test(name, group)) {
                answers.putOff(message);
                return false;
            }
            updates.add(new CassandraUpdate(name, update));
        }
        if (!updates.stream().allMatch(isHeld)) {
            return true;
        }
        answers.held(message);
        return false;
    }

    /** By Cassandra's messages. */
    static final class ByMessage implements Answers {
        @Override
        public void held(Message<?> message) {
            MessagingService.instance().send(message.emptyResponse(), message.respondTo());
        }

        @Override
        public void putOff(Message<?> message) {
            NoSpamLogger.log(
                    log,
                    NoSpamLogger.Level.INFO,
                    1,
                    TimeUnit.MINUTES,
                    "MeteorShower: others bring this node what it missed; until it has that, hints of enabled tables are"
                            + " put off, and come again every ten seconds (now from {})",
                    message.from());
            MessagingService.instance()
                    .send(message.failureResponse(RequestFailureReason.TIMEOUT), message.respondTo());
        }
    }
}
