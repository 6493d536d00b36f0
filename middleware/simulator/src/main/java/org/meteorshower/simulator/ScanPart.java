/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.meteorshower.protocol.Effect;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.ReplicaGroup;
import org.meteorshower.protocol.ScanRange;

/**
 * What one node reads of a scan: partitions that it holds, one after the other in the order of their numbers. First it
 * gives itself a cut; then it is told at which one all nodes read.
 */
final class ScanPart implements Effect.ReadAnswer.Handler {
    /** Who has asked. Each method is called at that node, once at most. */
    interface Asker {
        /** What has been given out is of no use to anybody. */
        boolean isOver(ScanPart part);

        void pinned(ScanPart part, long cutMicros);

        /** @param round in which it was asked */
        void lowered(ScanPart part, int round, long newestMicros);

        void read(ScanPart part);

        void failed(ScanPart part, Effect.Failure why);
    }

    private final Session session;
    private final SimulatedNode coordinator;
    private final SimulatedNode node;
    private final Asker asker;
    private final List<Integer> partitions;
    private final long tokenMicros;
    private final long longestMicros;
    private final boolean shared;

    private final Map<Integer, Map<Integer, Cell>> found = new TreeMap<>();
    private Set<Integer> toRead = new LinkedHashSet<>();
    private long scanId = -1;
    private int life;
    private boolean hasBegun;
    private boolean hasPinned;
    private boolean isReading;
    private boolean isScanning;
    private long ownMicros;
    private int round;

    ScanPart(
            Session session,
            SimulatedNode coordinator,
            SimulatedNode node,
            Asker asker,
            List<Integer> partitions,
            long tokenMicros,
            long longestMicros,
            boolean shared) {
        this.session = session;
        this.coordinator = coordinator;
        this.node = node;
        this.asker = asker;
        this.partitions = partitions;
        this.tokenMicros = tokenMicros;
        this.longestMicros = longestMicros;
        this.shared = shared;
    }

    SimulatedNode node() {
        return node;
    }

    /** What it has found; only of partitions with anything in them. */
    Map<Integer, Map<Integer, Cell>> found() {
        return found;
    }

    private void travel(SimulatedNode a, SimulatedNode b, Runnable then) {
        if (a == b) {
            b.act(then);
        } else {
            session.network.send(a.number, b.number, () -> b.act(then));
        }
    }

    /** From the coordinator. */
    void begin() {
        travel(coordinator, node, this::beginHere);
    }

    /** From the coordinator: which cut could it read at, if not at a newer one than this? */
    void lower(int inRound, long mostMicros) {
        travel(coordinator, node, () -> {
            if (!isReading && !isOver()) {
                round = inRound;
                node.perform(new Event.ScanLowered(scanId, mostMicros));
            }
        });
    }

    /** From the coordinator: all nodes read at this cut. */
    void readAt(long cutMicros) {
        travel(coordinator, node, () -> readHereAt(cutMicros));
    }

    /** From the coordinator. The cut is not kept any longer; at the latest when the operation's time is over. */
    void end() {
        travel(coordinator, node, this::endHere);
    }

    private void endHere() {
        if (scanId >= 0 && node.starts == life) {
            node.endRead(scanId);
            scanId = -1;
        }
    }

    private boolean isOver() {
        return scanId < 0 || node.starts != life || asker.isOver(this);
    }

    private void beginHere() {
        if (hasBegun || asker.isOver(this)) {
            return; // the network has brought the request twice
        }
        hasBegun = true;
        PartitionKey named = node.table().readKeyOf(Session.key(partitions.get(0)));
        if (named == null) {
            failed(Effect.Failure.NOT_READY);
            return;
        }
        scanId = node.nextRequest();
        life = node.starts;
        Set<Integer> wanted = new HashSet<>(partitions);
        Set<ReplicaGroup> groups = partitions.stream()
                .map(p -> node.table()
                        .placement()
                        .replicasOf(
                                new PartitionKey(named.table(), Session.key(p).bytes())))
                .collect(Collectors.toCollection(LinkedHashSet::new));
        node.scan(
                new Event.ScanStarted(
                        scanId, new Range(named.table(), wanted, groups), tokenMicros, deadlineNanos(), shared),
                this);
        node.later(2 * Session.TIMEOUT_MICROS, this::endHere);
    }

    private record Range(UUID table, Set<Integer> wanted, Set<ReplicaGroup> groups) implements ScanRange {
        @Override
        public boolean contains(PartitionKey key) {
            return wanted.contains(Session.partitionOf(key));
        }
    }

    private long deadlineNanos() {
        return node.now().elapsedNanos() + 1_000 * Session.TIMEOUT_MICROS;
    }

    private void readHereAt(long cutMicros) {
        if (isReading || isOver()) {
            return;
        }
        isReading = true;
        if (!shared) {
            scan();
        } else if (session.plan.bug() == Bug.SCAN_AT_SEVERAL_CUTS) {
            node.perform(new Event.ScanRaised(scanId, ownMicros, deadlineNanos()));
        } else {
            node.perform(new Event.ScanRaised(scanId, cutMicros, deadlineNanos()));
        }
    }

    @Override
    public void on(Effect.ReadAt at) {
        if (isOver() || at.readId() != scanId) {
            return;
        }
        if (!hasPinned) {
            hasPinned = true;
            ownMicros = at.info().cutMicros();
            travel(node, coordinator, () -> asker.pinned(this, at.info().cutMicros()));
        } else {
            scan();
        }
    }

    @Override
    public void on(Effect.ScanLowered lowered) {
        if (!isOver() && lowered.readId() == scanId) {
            int answersRound = round;
            travel(node, coordinator, () -> asker.lowered(this, answersRound, lowered.newestMicros()));
        }
    }

    // --- the scan of the store -----------------------------------------------------------------------------------

    private void scan() {
        if (!isScanning) {
            isScanning = true;
            scanOn(new ArrayDeque<>(partitions));
        }
    }

    private void scanOn(ArrayDeque<Integer> left) {
        if (isOver()) {
            return;
        }
        Integer next = left.pollFirst();
        if (next == null) {
            node.perform(new Event.ScanRead(scanId));
            return;
        }
        found.put(next, node.store.read(Session.key(next), 0, lastRow(), null));
        node.later(session.random.nextLong(1 + longestMicros / partitions.size()), () -> scanOn(left));
    }

    private int lastRow() {
        return session.plan.workload().rows() - 1;
    }

    @Override
    public void on(Effect.ScanStirred stirred) {
        if (isOver() || stirred.readId() != scanId) {
            return;
        }
        toRead = new LinkedHashSet<>();
        if (session.plan.bug() != Bug.STIRRED_NOT_REREAD) {
            stirred.partitions().forEach(key -> toRead.add(Session.partitionOf(key)));
        }
        toRead.forEach(found::remove);
        session.result.rereadPartitions += toRead.size();
        readOn();
    }

    /** The next one of those that were written meanwhile, or the end. */
    private void readOn() {
        if (toRead.isEmpty()) {
            node.later(session.random.nextInt(150), this::done);
            return;
        }
        int partition = toRead.iterator().next();
        toRead.remove(partition);
        PartitionKey named = node.table().readKeyOf(Session.key(partition));
        if (named == null) {
            failed(Effect.Failure.NOT_READY);
            return;
        }
        One one = new One(partition);
        node.read(new Event.PinnedReadStarted(one.readId, scanId, named, deadlineNanos()), one);
    }

    /** A partition that was written meanwhile, at the scan's cut. */
    private final class One implements Effect.ReadAnswer.Handler {
        private final int partition;
        private final long readId = node.nextRequest();
        private Map<Integer, Cell> content = Map.of();

        One(int partition) {
            this.partition = partition;
        }

        @Override
        public void on(Effect.ReadAt at) {
            node.later(session.random.nextInt(150), () -> {
                content = node.store.read(Session.key(partition), 0, lastRow(), at.overlay());
                if (at.confirm()) {
                    node.later(session.random.nextInt(150), () -> node.perform(new Event.StoreRead(readId)));
                } else {
                    taken();
                }
            });
        }

        @Override
        public void on(Effect.ReadConfirmed confirmed) {
            taken();
        }

        @Override
        public void on(Effect.ReadFailed failed) {
            if (!isOver()) {
                session.result.failed(failed);
                failed(failed.failure());
            }
        }

        private void failed(Effect.Failure why) {
            ScanPart.this.failed(why);
        }

        @Override
        public void on(Effect.ScanLowered lowered) {
            throw new IllegalStateException("an answer to a scan");
        }

        @Override
        public void on(Effect.ScanStirred stirred) {
            throw new IllegalStateException("an answer to a scan");
        }

        private void taken() {
            if (!isOver()) {
                found.put(partition, content);
                readOn();
            }
        }
    }

    @Override
    public void on(Effect.ReadConfirmed confirmed) {
        throw new IllegalStateException("an answer to a read of one partition");
    }

    @Override
    public void on(Effect.ReadFailed failed) {
        if (!isOver() && failed.readId() == scanId) {
            session.result.failed(failed);
            failed(failed.failure());
        }
    }

    private void failed(Effect.Failure why) {
        endHere();
        travel(node, coordinator, () -> asker.failed(this, why));
    }

    private void done() {
        if (isOver()) {
            return;
        }
        endHere();
        if (node.table().isOnRing()) {
            travel(node, coordinator, () -> asker.read(this));
        } else {
            failed(Effect.Failure.NOT_A_REPLICA);
        }
    }
}
