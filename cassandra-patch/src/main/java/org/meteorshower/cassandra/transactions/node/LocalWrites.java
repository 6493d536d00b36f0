/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
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

    /**
     * Returns when a quorum of the replicas in this data centre has all of these.
     *
     * @param hints whether those that do not answer shall get them later
     * @throws NoQuorumException if one of them did not get so far in time
     */
    static void write(List<Mutation> mutations, boolean hints) {
        long deadlineNanos = System.nanoTime() + DatabaseDescriptor.getWriteRpcTimeout(TimeUnit.NANOSECONDS);
        List<Quorum> quorums = new ArrayList<>(mutations.size());
        for (Mutation mutation : mutations) {
            quorums.add(begin(mutation, hints, false));
        }
        applyHere(quorums);
        for (Quorum quorum : quorums) {
            quorum.await(deadlineNanos);
        }
    }

    /**
     * Returns those that every replica in this data centre has now. Of the others some may have them; where one is
     * known to be down, none is asked.
     */
    static List<Mutation> writeToAll(List<Mutation> mutations) {
        long deadlineNanos = System.nanoTime() + DatabaseDescriptor.getWriteRpcTimeout(TimeUnit.NANOSECONDS);
        List<Quorum> quorums = new ArrayList<>(mutations.size());
        for (Mutation mutation : mutations) {
            if (areAllAlive(mutation)) {
                quorums.add(begin(mutation, true, true));
            }
        }
        applyHere(quorums);
        List<Mutation> written = new ArrayList<>();
        for (Quorum quorum : quorums) {
            try {
                quorum.await(deadlineNanos);
                written.add(quorum.mutation);
            } catch (NoQuorumException e) {
                log.debug("MeteorShower transactions: not all replicas have a write: {}", e.getMessage());
            }
        }
        return written;
    }

    private static void applyHere(List<Quorum> quorums) {
        OwnReplica.apply(quorums.stream().filter(quorum -> quorum.isHere).toList());
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

    /** Sends it to the others. */
    private static Quorum begin(Mutation mutation, boolean hints, boolean all) {
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
        for (Replica replica : replicas) {
            if (!replica.isSelf()) {
                MessagingService.instance()
                        .sendWithCallback(
                                Message.outWithFlag(Verb.MUTATION_REQ, mutation, MessageFlag.CALL_BACK_ON_FAILURE),
                                replica.endpoint(),
                                quorum);
            }
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
    private static final class Quorum implements RequestCallback<NoPayload>, OwnReplica.Write {
        private final CountDownLatch done = new CountDownLatch(1);
        private final AtomicInteger missing;
        private final AtomicInteger left;
        private final List<Replica> replicas;
        private final Mutation mutation;
        private final boolean hints;
        private final boolean isHere;

        Quorum(int needed, List<Replica> replicas, Mutation mutation, boolean hints) {
            this.missing = new AtomicInteger(needed);
            this.left = new AtomicInteger(replicas.size());
            this.replicas = replicas;
            this.mutation = mutation;
            this.hints = hints;
            this.isHere = replicas.stream().anyMatch(Replica::isSelf);
        }

        @Override
        public Mutation mutation() {
            return mutation;
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

        @Override
        public void applied() {
            onResponse(null);
        }

        /** A disk that fails is one replica that does. */
        @Override
        public void failed(Throwable why) {
            NoSpamLogger.log(
                    log,
                    NoSpamLogger.Level.ERROR,
                    10,
                    TimeUnit.SECONDS,
                    "MeteorShower transactions: this node does not take a write of its own: {}",
                    why.toString());
            told();
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
