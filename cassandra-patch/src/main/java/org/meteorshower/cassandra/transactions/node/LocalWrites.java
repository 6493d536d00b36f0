/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.io.IOError;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.exceptions.RequestFailureReason;
import org.apache.cassandra.gms.FailureDetector;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.locator.ReplicaLayout;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessageFlag;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.NoPayload;
import org.apache.cassandra.net.RequestCallback;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.service.StorageProxy;
import org.apache.cassandra.utils.NoSpamLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes to this data centre's replicas and to nobody else's: the other data centres execute the same transactions
 * themselves. Blocks; for threads of the plugin's own.
 */
final class LocalWrites {
    private static final Logger log = LoggerFactory.getLogger(LocalWrites.class);

    /** Not enough replicas of this data centre have said that they have it. It may be there all the same. */
    static final class NoQuorumException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NoQuorumException(String message) {
            super(message);
        }
    }

    private LocalWrites() {}

    /** As {@link #write(List, boolean, Executor)}, all on this thread. */
    static void write(List<Mutation> mutations, boolean hints) {
        write(mutations, hints, Runnable::run);
    }

    /**
     * Returns when a quorum of the replicas in this data centre has all of these.
     *
     * @param hints whether those that do not answer shall get them later
     * @param helpers write to this node all but the last one, at the same time as that: they then share the wait for
     *     the disk
     * @throws NoQuorumException if one of them did not get so far in time
     */
    static void write(List<Mutation> mutations, boolean hints, Executor helpers) {
        long deadlineNanos = System.nanoTime() + DatabaseDescriptor.getWriteRpcTimeout(TimeUnit.NANOSECONDS);
        List<Quorum> quorums = new ArrayList<>(mutations.size());
        for (int i = 0; i < mutations.size(); i++) {
            quorums.add(begin(mutations.get(i), hints, i < mutations.size() - 1 ? helpers : Runnable::run));
        }
        for (Quorum quorum : quorums) {
            quorum.await(deadlineNanos);
        }
    }

    /**
     * Whether every replica in this data centre has it now. Where not, some may; where one is known to be down, none is
     * asked.
     */
    static boolean writeToAll(Mutation mutation) {
        if (!areAllAlive(mutation)) {
            return false;
        }
        long deadlineNanos = System.nanoTime() + DatabaseDescriptor.getWriteRpcTimeout(TimeUnit.NANOSECONDS);
        try {
            begin(mutation, true, Runnable::run, true).await(deadlineNanos);
            return true;
        } catch (NoQuorumException e) {
            return false;
        }
    }

    private static boolean areAllAlive(Mutation mutation) {
        List<Replica> replicas = new ArrayList<>();
        local(
                ReplicaLayout.forTokenWriteLiveAndDown(
                                Keyspace.open(mutation.getKeyspaceName()),
                                mutation.key().getToken())
                        .all(),
                replicas);
        return replicas.stream().allMatch(replica -> FailureDetector.instance.isAlive(replica.endpoint()));
    }

    private static Quorum begin(Mutation mutation, boolean hints, Executor here) {
        return begin(mutation, hints, here, false);
    }

    private static Quorum begin(Mutation mutation, boolean hints, Executor here, boolean all) {
        Keyspace keyspace = Keyspace.open(mutation.getKeyspaceName());
        ReplicaLayout.ForTokenWrite layout =
                ReplicaLayout.forTokenWriteLiveAndDown(keyspace, mutation.key().getToken());
        List<Replica> replicas = new ArrayList<>();
        int natural = local(layout.natural(), replicas);
        int pending = local(layout.pending(), replicas);
        if (natural == 0) {
            throw new NoQuorumException("keyspace " + mutation.getKeyspaceName()
                    + " has no replica in this data centre: its replication must name all data centres that take part");
        }
        int needed = all ? replicas.size() : natural / 2 + 1 + pending;
        Quorum quorum = new Quorum(needed, replicas, mutation, hints);
        boolean isHere = false;
        for (Replica replica : replicas) {
            if (replica.isSelf()) {
                isHere = true;
            } else {
                MessagingService.instance()
                        .sendWithCallback(
                                Message.outWithFlag(Verb.MUTATION_REQ, mutation, MessageFlag.CALL_BACK_ON_FAILURE),
                                replica.endpoint(),
                                quorum);
            }
        }
        if (isHere) {
            here.execute(quorum::apply);
        }
        return quorum;
    }

    private static int local(Iterable<Replica> replicas, List<Replica> into) {
        IEndpointSnitch snitch = DatabaseDescriptor.getEndpointSnitch();
        int count = 0;
        for (Replica replica : replicas) {
            if (snitch.getDatacenter(replica).equals(snitch.getLocalDatacenter())) {
                into.add(replica);
                count++;
            }
        }
        return count;
    }

    /** Counts replicas. Any thread tells, one waits. */
    private static final class Quorum implements RequestCallback<NoPayload> {
        private final CountDownLatch done = new CountDownLatch(1);
        private final AtomicInteger missing;
        private final AtomicInteger left;
        private final List<Replica> replicas;
        private final Mutation mutation;
        private final boolean hints;

        Quorum(int needed, List<Replica> replicas, Mutation mutation, boolean hints) {
            this.missing = new AtomicInteger(needed);
            this.left = new AtomicInteger(replicas.size());
            this.replicas = replicas;
            this.mutation = mutation;
            this.hints = hints;
        }

        @Override
        public void onResponse(@Nullable Message<NoPayload> message) {
            if (missing.decrementAndGet() == 0) {
                done.countDown();
            }
            told();
        }

        @Override
        public void onFailure(InetAddressAndPort from, RequestFailureReason reason) {
            told();
            for (Replica replica : replicas) {
                if (hints && replica.endpoint().equals(from) && StorageProxy.shouldHint(replica)) {
                    StorageProxy.submitHint(mutation, replica, null);
                }
            }
        }

        @Override
        public boolean invokeOnFailure() {
            return true;
        }

        private void told() {
            if (left.decrementAndGet() == 0) {
                done.countDown();
            }
        }

        /**
         * On this thread: Cassandra's own mutations need not wait behind these. A disk that fails is one replica that
         * does.
         */
        void apply() {
            try {
                mutation.apply();
            } catch (RuntimeException | IOError e) {
                NoSpamLogger.log(
                        log,
                        NoSpamLogger.Level.ERROR,
                        10,
                        TimeUnit.SECONDS,
                        "MeteorShower transactions: this node does not take a write of its own: {}",
                        e.toString());
                told();
                return;
            }
            onResponse(null);
        }

        void await(long deadlineNanos) {
            try {
                boolean inTime = done.await(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (!inTime || missing.get() > 0) {
                    throw new NoQuorumException("of " + mutation.getKeyspaceName() + "'s replicas in this data centre "
                            + missing.get() + " more had to answer");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new NoQuorumException("interrupted");
            }
        }
    }
}
