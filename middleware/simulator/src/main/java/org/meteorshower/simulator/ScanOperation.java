/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.CommonCut;
import org.meteorshower.protocol.Effect;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.ReadMode;

/**
 * A scan of some partitions: by the session's node where it holds them all, by several together where it does not, and
 * in a third of the cases where it does. Each of them gives its part a cut; then they look for one at which all can
 * read. Where a cut is lost the scan begins anew, a few times.
 */
final class ScanOperation implements ScanPart.Asker {
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
    private final boolean shared;

    /** Whether it does not look for a cut at which all can answer at once, as the last try does without one. */
    private final boolean patient;

    private List<ScanPart> parts = List.of();
    private final Map<ScanPart, Long> pinned = new LinkedHashMap<>();
    private final Map<Integer, SimulatedNode> readers = new HashMap<>();
    private final Map<Integer, Map<Integer, Cell>> found = new HashMap<>();
    private @Nullable CommonCut<ScanPart> common;
    private final Set<ScanPart> asked = new LinkedHashSet<>();
    private int round;
    private long cutMicros;
    private final Set<ScanPart> unread = new HashSet<>();
    private int tries;

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
        this.shared = session.random.nextInt(3) == 0;
        this.patient = session.random.nextInt(4) == 0;
    }

    void begin() {
        session.note(() -> "begins to scan p" + partitions.get(0) + " to p" + partitions.get(partitions.size() - 1)
                + " at n" + node.number);
        tryOnce();
        session.readTimeout.then(this::giveUp);
    }

    private void tryOnce() {
        Map<SimulatedNode, List<Integer>> byNode = new LinkedHashMap<>();
        for (int partition : partitions) {
            List<SimulatedNode> replicas = node.table().replicas(Session.key(partition));
            if (replicas.isEmpty() || !node.table().isOnRing()) {
                endParts();
                session.refused(operation);
                return;
            }
            byNode.computeIfAbsent(readerOf(replicas), n -> new ArrayList<>()).add(partition);
        }
        tries++;
        pinned.clear();
        common = null;
        found.clear();
        readers.clear();
        List<ScanPart> begun = new ArrayList<>();
        byNode.forEach((reader, some) -> {
            some.forEach(p -> readers.put(p, reader));
            begun.add(new ScanPart(session, node, reader, this, some, tokenMicros, longestMicros, byNode.size() > 1));
        });
        parts = begun;
        unread.clear();
        unread.addAll(begun);
        begun.forEach(ScanPart::begin);
    }

    private SimulatedNode readerOf(List<SimulatedNode> replicas) {
        return replicas.contains(node) && !shared ? node : replicas.get(session.random.nextInt(replicas.size()));
    }

    @Override
    public boolean isOver(ScanPart part) {
        return !session.isCurrent(operation) || node.starts != life || !parts.contains(part);
    }

    private void endParts() {
        List<ScanPart> ended = parts;
        parts = List.of();
        ended.forEach(ScanPart::end);
    }

    private void giveUp() {
        if (session.isCurrent(operation)) {
            session.waited(node, startMicros);
            session.note(() -> "gives up scanning");
            endParts();
            session.next(operation);
        }
    }

    @Override
    public void pinned(ScanPart part, long atMicros) {
        if (isOver(part) || pinned.putIfAbsent(part, atMicros) != null || pinned.size() < parts.size()) {
            return;
        }
        common = new CommonCut<>(pinned);
        round = 0;
        agreeOn(common);
    }

    private void agreeOn(CommonCut<ScanPart> search) {
        asked.clear();
        if (!patient) {
            asked.addAll(search.toAsk());
        }
        if (!asked.isEmpty()) {
            round++;
            long most = search.mostMicros();
            List.copyOf(asked).forEach(part -> part.lower(round, most));
        } else if (search.found().isPresent() || patient || tries == MOST_TRIES) {
            cutMicros = search.found().orElse(search.newestOfAll());
            session.result.scansAgreed += search.found().isPresent() && pinned.size() > 1 ? 1 : 0;
            List.copyOf(parts).forEach(part -> part.readAt(cutMicros));
        } else {
            beginAnew(Effect.Failure.CUT_GONE);
        }
    }

    @Override
    public void lowered(ScanPart part, int inRound, long newestMicros) {
        CommonCut<ScanPart> search = common;
        if (!isOver(part) && search != null && inRound == round && asked.remove(part)) {
            search.answered(part, newestMicros);
            if (asked.isEmpty()) {
                agreeOn(search);
            }
        }
    }

    @Override
    public void read(ScanPart part) {
        if (isOver(part) || !unread.remove(part)) {
            return;
        }
        found.putAll(part.found());
        if (unread.isEmpty()) {
            done();
        }
    }

    @Override
    public void failed(ScanPart part, Effect.Failure why) {
        if (!isOver(part)) {
            beginAnew(why);
        }
    }

    private void beginAnew(Effect.Failure why) {
        endParts();
        boolean again = why == Effect.Failure.CUT_GONE || why == Effect.Failure.NOT_READY;
        if (again && tries < MOST_TRIES) {
            int before = tries;
            node.later(session.random.nextInt(5_000), () -> {
                if (session.isCurrent(operation) && tries == before) {
                    tryOnce();
                }
            });
        } else {
            giveUp();
        }
    }

    // --- the answer ----------------------------------------------------------------------------------------------

    private void done() {
        endParts();
        if (!node.table().isOnRing()) {
            session.refused(operation);
            return;
        }
        session.saw(node, cutMicros);
        session.waited(node, startMicros);
        session.note(() -> "scanned " + found.size() + " partitions at cut " + Transcript.time(cutMicros));
        session.result.scans++;
        session.result.sharedScans += pinned.size() > 1 ? 1 : 0;
        session.recorder.begin();
        for (int partition : partitions) {
            record(partition, found.getOrDefault(partition, Map.of()));
        }
        session.next(operation);
    }

    private int lastRow() {
        return session.plan.workload().rows() - 1;
    }

    private void record(int partition, Map<Integer, Cell> content) {
        PartitionKey named = node.table().readKeyOf(Session.key(partition));
        session.oracle.read(new Oracle.Read(
                session.name,
                Objects.requireNonNull(readers.get(partition)).number,
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
