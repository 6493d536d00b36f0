/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Effect;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.ReadMode;
import org.meteorshower.protocol.ReplicaGroup;
import org.meteorshower.protocol.ScanRange;

/**
 * A scan of some partitions, one after the other in the order of their numbers, by a node that holds them all. Where
 * its cut is lost it begins anew, a few times.
 */
final class ScanOperation implements Effect.ReadAnswer.Handler {
    private static final int MOST_TRIES = 3;

    /** The longest that a scan of the store takes: at once, or until what was in flight has been forgotten. */
    private static final long[] LONGEST_MICROS = {300, 20_000, 400_000, 1_200_000};

    private final Session session;
    private final long operation;
    private final long startMicros;
    private final SimulatedNode node;
    private final int life;
    private final long tokenMicros;
    private final List<Integer> partitions;
    private final long longestMicros;

    private final Map<Integer, Map<Integer, Cell>> found = new TreeMap<>();
    private Set<Integer> toRead = new LinkedHashSet<>();
    private long scanId;
    private Effect.@Nullable ReadInfo info;
    private int tries;
    private boolean over;

    ScanOperation(Session session, long operation) {
        this.session = session;
        this.operation = operation;
        this.startMicros = session.scheduler.nowMicros();
        this.node = session.node;
        this.life = node.starts;
        this.tokenMicros = session.plan.bug() == Bug.READ_WITHOUT_TOKEN ? 0 : session.tokenMicros();
        int all = session.plan.workload().partitions();
        int from = session.random.nextInt(3) == 0 ? session.random.nextInt(all) : 0;
        int to = session.random.nextInt(3) == 0 ? from + session.random.nextInt(all - from) : all - 1;
        this.partitions = IntStream.rangeClosed(from, to).boxed().toList();
        this.longestMicros = LONGEST_MICROS[session.random.nextInt(LONGEST_MICROS.length)];
    }

    void begin() {
        if (!partitions.stream()
                .allMatch(p -> node.table().replicas(Session.key(p)).contains(node))) {
            session.refused(operation);
            return;
        }
        session.note(() -> "begins to scan p" + partitions.get(0) + " to p" + partitions.get(partitions.size() - 1)
                + " at n" + node.number);
        tryOnce();
        session.readTimeout.then(this::giveUp);
    }

    private void tryOnce() {
        PartitionKey named = node.table().readKeyOf(Session.key(partitions.get(0)));
        if (named == null) {
            end();
            session.refused(operation);
            return;
        }
        tries++;
        scanId = node.nextRequest();
        info = null;
        found.clear();
        Set<Integer> wanted = new HashSet<>(partitions);
        Set<ReplicaGroup> groups = partitions.stream()
                .map(p -> node.table().placement().replicasOf(keyOf(named.table(), p)))
                .collect(Collectors.toCollection(LinkedHashSet::new));
        long deadlineNanos = node.now().elapsedNanos() + 1_000 * Session.TIMEOUT_MICROS;
        node.scan(
                new Event.ScanStarted(scanId, new Range(named.table(), wanted, groups), tokenMicros, deadlineNanos),
                this);
    }

    private record Range(UUID table, Set<Integer> wanted, Set<ReplicaGroup> groups) implements ScanRange {
        @Override
        public boolean contains(PartitionKey key) {
            return wanted.contains(Session.partitionOf(key));
        }
    }

    private static PartitionKey keyOf(UUID table, int partition) {
        return new PartitionKey(table, Session.key(partition).bytes());
    }

    private boolean isOver() {
        return over || !session.isCurrent(operation) || node.starts != life;
    }

    private void giveUp() {
        if (session.isCurrent(operation)) {
            session.waited(node, startMicros);
            session.note(() -> "gives up scanning");
            end();
            session.next(operation);
        }
    }

    private void end() {
        over = true;
        if (node.starts == life) {
            node.endRead(scanId);
        }
    }

    // --- the scan of the store -----------------------------------------------------------------------------------

    @Override
    public void on(Effect.ReadAt at) {
        if (!isOver() && at.readId() == scanId) {
            info = at.info();
            scanOn(new ArrayDeque<>(partitions), scanId);
        }
    }

    private void scanOn(ArrayDeque<Integer> left, long ofScan) {
        if (isOver() || ofScan != scanId) {
            return;
        }
        Integer next = left.pollFirst();
        if (next == null) {
            node.perform(new Event.ScanRead(scanId));
            return;
        }
        found.put(next, node.store.read(Session.key(next), 0, lastRow(), null));
        node.later(session.random.nextLong(1 + longestMicros / partitions.size()), () -> scanOn(left, ofScan));
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
            lost(Effect.Failure.NOT_READY);
            return;
        }
        long deadlineNanos = node.now().elapsedNanos() + 1_000 * Session.TIMEOUT_MICROS;
        One one = new One(partition, scanId);
        node.read(new Event.PinnedReadStarted(one.readId, scanId, named, deadlineNanos), one);
    }

    /** A partition that was written meanwhile, at the scan's cut. */
    private final class One implements Effect.ReadAnswer.Handler {
        private final int partition;
        private final long ofScan;
        private final long readId = node.nextRequest();
        private Map<Integer, Cell> content = Map.of();

        One(int partition, long ofScan) {
            this.partition = partition;
            this.ofScan = ofScan;
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
            if (!isOver() && ofScan == scanId) {
                session.result.failed(failed);
                lost(failed.failure());
            }
        }

        @Override
        public void on(Effect.ScanStirred stirred) {
            throw new IllegalStateException("an answer to a scan");
        }

        private void taken() {
            if (!isOver() && ofScan == scanId) {
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
            lost(failed.failure());
        }
    }

    private void lost(Effect.Failure why) {
        node.endRead(scanId);
        scanId = -1;
        boolean again = why == Effect.Failure.CUT_GONE || why == Effect.Failure.NOT_READY;
        if (again && tries < MOST_TRIES) {
            node.later(session.random.nextInt(5_000), () -> {
                if (!isOver()) {
                    tryOnce();
                }
            });
        } else {
            giveUp();
        }
    }

    // --- the answer ----------------------------------------------------------------------------------------------

    private void done() {
        Effect.ReadInfo cut = info;
        if (isOver() || cut == null) {
            return;
        }
        end();
        if (!node.table().isOnRing()) {
            session.refused(operation);
            return;
        }
        session.saw(node, cut.cutMicros());
        session.waited(node, startMicros);
        session.note(() -> "scanned " + found.size() + " partitions at cut " + Transcript.time(cut.cutMicros()));
        session.result.scans++;
        session.recorder.begin();
        for (int partition : partitions) {
            record(partition, found.getOrDefault(partition, Map.of()), cut.cutMicros());
        }
        session.next(operation);
    }

    private void record(int partition, Map<Integer, Cell> content, long cutMicros) {
        PartitionKey named = node.table().readKeyOf(Session.key(partition));
        session.oracle.read(new Oracle.Read(
                session.name,
                node.number,
                named == null ? Session.key(partition) : named,
                0,
                lastRow(),
                startMicros,
                0,
                ReadMode.SEQUENTIAL,
                cutMicros,
                new HashMap<>(content)));
        long endNanos = session.scheduler.nowMicros() * 1_000;
        for (int row = 0; row <= lastRow(); row++) {
            for (int column = 0; column < session.plan.workload().columns(); column++) {
                Cell cell = content.get(row * 100 + column);
                session.recorder.read(
                        session.name,
                        Session.key(partition),
                        row * 100 + column,
                        cell == null ? null : cell.value(),
                        endNanos,
                        endNanos);
            }
        }
    }
}
