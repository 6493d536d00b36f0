/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Placement;
import org.meteorshower.protocol.ReadMode;

/**
 * The verifier that knows everything: each replica's first stamp of each mutation, so τ, so the content at every cut.
 * Every read must return the content at its cut; this needs no history of clients and does not lean on the proof.
 */
final class Oracle {
    /** A mutation and what became of it. */
    private static final class Known {
        final CellUpdate update;
        final long[] appliedMicros;
        long tauMicros = Long.MAX_VALUE;

        Known(CellUpdate update, int nodes) {
            this.update = update;
            this.appliedMicros = new long[nodes];
            Arrays.fill(appliedMicros, Long.MAX_VALUE);
        }

        void countStamps(int writeQuorum) {
            long[] sorted = appliedMicros.clone();
            Arrays.sort(sorted);
            tauMicros = Math.min(tauMicros, sorted[writeQuorum - 1]);
        }

        long tauMicros() {
            return tauMicros;
        }
    }

    /**
     * A read that was answered. {@code beganMicros} is true time; {@code clockMicros} is the latest physical clock that
     * its replica knew of when it was asked; {@code mode} the one that it was promised.
     */
    record Read(
            String session,
            int node,
            PartitionKey key,
            int from,
            int to,
            long beganMicros,
            long clockMicros,
            ReadMode mode,
            long cutMicros,
            Map<Integer, Cell> content) {}

    /** A write that a client was told of: when, in true time. */
    private record Acknowledged(MutationName name, long atMicros) {}

    /** What readers of a cell see from a cut on. */
    private record Version(long tauMicros, Cell cell) {}

    /** Since when, in true time, a read that begins must see a write; for a bound of 0. */
    private record Due(CellUpdate update, long sinceMicros, long positionMicros) {}

    private final int nodes;
    private final Placement placement;
    private final long clockErrorMicros;
    private final boolean goodClocks;
    private final Map<MutationName, Known> mutations = new HashMap<>();
    private final Map<PartitionKey, List<Known>> byKey = new HashMap<>();
    private final List<Read> reads = new ArrayList<>();
    private final List<Acknowledged> acknowledged = new ArrayList<>();
    private final List<CellUpdate> told = new ArrayList<>();
    private final Map<PartitionKey, Map<Integer, List<Version>>> versionsByKey = new HashMap<>();
    private final EpochBases bases;
    private boolean closed;

    Oracle(SimulationPlan plan, Placement placement) {
        this.nodes = plan.nodes();
        this.placement = placement;
        this.bases = new EpochBases(placement);
        this.clockErrorMicros = plan.settings().clockErrorMicros();
        this.goodClocks = plan.hasGoodClocks();
    }

    void stamped(int node, CellUpdate update, long appliedMicros) {
        Known known = mutations.computeIfAbsent(MutationName.of(update), n -> {
            Known made = new Known(update, nodes);
            byKey.computeIfAbsent(update.key(), k -> new ArrayList<>()).add(made);
            bases.inEpoch(update.key());
            return made;
        });
        if (known.appliedMicros[node] == Long.MAX_VALUE) {
            known.appliedMicros[node] = appliedMicros;
        }
    }

    /**
     * A node that had forgotten what it stamped in an epoch vouches for what it holds, now that all replicas have that:
     * what it held then is visible from this cut on, if not before.
     */
    void vouched(CellUpdate held, long sinceMicros) {
        Known known = new Known(held, nodes);
        known.tauMicros = sinceMicros;
        byKey.computeIfAbsent(held.key(), k -> new ArrayList<>()).add(known);
        bases.inEpoch(held.key());
    }

    /** What is known of the epochs of a table whose partitions move. */
    EpochBases bases() {
        return bases;
    }

    void read(Read read) {
        reads.add(read);
        bases.read(read.key, read.cutMicros);
    }

    /** @param atMicros true time */
    void acknowledged(CellUpdate update, long atMicros) {
        acknowledged.add(new Acknowledged(MutationName.of(update), atMicros));
        told.add(update);
    }

    /** The run is over: what was stamped is now all there is. To be called before anything is asked. */
    void close() {
        for (Known known : mutations.values()) {
            known.countStamps(placement.replicasOf(known.update.key()).writeQuorum());
        }
        byKey.values().forEach(list -> list.sort(Comparator.comparingLong(Known::tauMicros)));
        closed = true;
    }

    private List<Known> mutationsOf(PartitionKey key) {
        if (!closed) {
            throw new IllegalStateException("the run goes on");
        }
        return byKey.getOrDefault(key, List.of());
    }

    /**
     * The first read older than its mode allows, described; null where there is none. By clocks: no cut is older than θ
     * + ε by any clock that its replica had heard of. And by what clients see, where a clock that is right is heard
     * everywhere: a write counts from when its client was told of it, or from when its hybrid time came, whichever is
     * later.
     */
    @Nullable
    String firstStaleRead() {
        if (reads.stream().noneMatch(read -> read.mode.kind() == ReadMode.Kind.BOUNDED)) {
            return null;
        }
        for (Read read : reads) {
            long ageMicros = read.clockMicros - read.cutMicros;
            if (read.mode.kind() == ReadMode.Kind.BOUNDED && ageMicros > read.mode.thetaMicros() + clockErrorMicros) {
                return "session " + read.session + " at node " + read.node + " began to read " + read.key + " at "
                        + read.beganMicros + " and was served at cut " + read.cutMicros + ", " + ageMicros
                        + " us old by a clock that the node had heard of, and not at most "
                        + (read.mode.thetaMicros() + clockErrorMicros);
            }
        }
        return goodClocks ? firstMissedWrite() : null;
    }

    private @Nullable String firstMissedWrite() {
        Map<PartitionKey, List<Due>> dueByKey = new HashMap<>();
        for (Acknowledged write : acknowledged) {
            Known known = mutations.get(write.name);
            if (known != null) {
                long positionMicros = positionOf(known);
                long fromMicros = Math.max(write.atMicros, positionMicros - SimulatedNode.EPOCH_MICROS);
                dueByKey.computeIfAbsent(write.name.key(), k -> new ArrayList<>())
                        .add(new Due(known.update, fromMicros, positionMicros));
            }
        }
        for (Read read : reads) {
            if (read.mode.kind() != ReadMode.Kind.BOUNDED) {
                continue;
            }
            long boundMicros = read.mode.thetaMicros() + clockErrorMicros;
            for (Due due : dueByKey.getOrDefault(read.key, List.of())) {
                if (due.sinceMicros + boundMicros < read.beganMicros && due.positionMicros > read.cutMicros) {
                    return "session " + read.session + " at node " + read.node + " began to read " + read.key + " at "
                            + read.beganMicros + " and was served at cut " + read.cutMicros + ", but " + due.update
                            + " is visible from " + due.positionMicros + " on, and was due since "
                            + (due.sinceMicros + boundMicros);
                }
            }
        }
        return null;
    }

    /** An acknowledged write that a replica's store lacks when all is settled, described; null where there is none. */
    @Nullable
    String firstLostWrite(Function<PartitionKey, List<SimulatedNode>> replicas) {
        for (CellUpdate write : told) {
            for (SimulatedNode replica : replicas.apply(write.key())) {
                Map<Integer, Cell> held = replica.store.partition(write.key());
                for (Map.Entry<Integer, Cell> cell : write.cells().entrySet()) {
                    Cell there = held.get(cell.getKey());
                    if (there == null || !there.equals(Cell.latest(there, cell.getValue()))) {
                        return "n" + replica.number + " lacks " + write + ", which was acknowledged; it holds " + there;
                    }
                }
            }
        }
        return null;
    }

    /** How long before its hybrid time came a write was acknowledged, in the worst case. */
    long acknowledgedAheadMicros() {
        long ahead = 0;
        for (Acknowledged write : acknowledged) {
            Known known = mutations.get(write.name);
            if (known != null) {
                ahead = Math.max(ahead, positionOf(known) - SimulatedNode.EPOCH_MICROS - write.atMicros);
            }
        }
        return ahead;
    }

    private long positionOf(Known known) {
        long position = 0;
        for (Map.Entry<Integer, Cell> cell : known.update.cells().entrySet()) {
            position = Math.max(position, position(known.update.key(), cell.getKey(), cell.getValue()));
        }
        return position;
    }

    /** pos(W) of one of its cells: the first cut, in any epoch, from which a reader sees it or something later. */
    long position(PartitionKey key, int cell, Cell write) {
        Set<PartitionKey> keys = bases.keysInEpochs(key);
        return keys.isEmpty()
                ? positionInEpoch(key, cell, write)
                : keys.stream()
                        .mapToLong(each -> positionInEpoch(each, cell, write))
                        .min()
                        .orElse(Long.MAX_VALUE);
    }

    private long positionInEpoch(PartitionKey key, int cell, Cell write) {
        List<Version> versions = versions(key).getOrDefault(cell, List.of());
        int from = 0;
        int to = versions.size();
        while (from < to) {
            int middle = (from + to) >>> 1;
            Cell seen = versions.get(middle).cell;
            if (seen.equals(Cell.latest(seen, write))) {
                to = middle;
            } else {
                from = middle + 1;
            }
        }
        return from == versions.size() ? Long.MAX_VALUE : versions.get(from).tauMicros;
    }

    /** By cell, what readers see in the course of the cuts. */
    private Map<Integer, List<Version>> versions(PartitionKey key) {
        return versionsByKey.computeIfAbsent(key, k -> {
            Map<Integer, List<Version>> byCell = new HashMap<>();
            long beginMicros = bases.beginMicros(k);
            bases.of(k).forEach((cell, value) -> byCell.computeIfAbsent(cell, c -> new ArrayList<>())
                    .add(new Version(beginMicros, value)));
            for (Known known : mutationsOf(k)) { // by τ
                known.update.cells().forEach((cell, written) -> {
                    List<Version> versions = byCell.computeIfAbsent(cell, c -> new ArrayList<>());
                    Cell seen = versions.isEmpty() ? null : versions.get(versions.size() - 1).cell;
                    if (seen == null || !seen.equals(Cell.latest(seen, written))) {
                        versions.add(new Version(inEpochs(known.tauMicros, beginMicros), written));
                    }
                });
            }
            return byCell;
        });
    }

    private static long inEpochs(long tauMicros, long beginMicros) {
        return beginMicros == Long.MAX_VALUE ? tauMicros : Math.max(tauMicros, beginMicros);
    }

    /** The first read that did not return the content at its cut, described; null where all did. */
    @Nullable
    String firstWrongRead() {
        Map<PartitionKey, List<Read>> readsByKey = new HashMap<>();
        reads.forEach(read ->
                readsByKey.computeIfAbsent(read.key, k -> new ArrayList<>()).add(read));
        Read firstWrong = null;
        Map<Integer, Cell> due = Map.of();
        for (Map.Entry<PartitionKey, List<Read>> entry : readsByKey.entrySet()) {
            List<Read> ofKey = entry.getValue();
            ofKey.sort(Comparator.comparingLong(Read::cutMicros));
            TreeMap<Integer, Cell> content = new TreeMap<>(bases.of(entry.getKey()));
            List<Known> writes = mutationsOf(entry.getKey());
            int visible = 0;
            for (Read read : ofKey) {
                while (visible < writes.size() && writes.get(visible).tauMicros <= read.cutMicros) {
                    writes.get(visible++)
                            .update
                            .cells()
                            .forEach((cell, value) -> content.merge(cell, value, Cell::latest));
                }
                Map<Integer, Cell> expected = content.subMap(read.from * 100, read.to * 100 + 100);
                if (!expected.equals(read.content)
                        && (firstWrong == null || read.beganMicros < firstWrong.beganMicros)) {
                    firstWrong = read;
                    due = new TreeMap<>(expected);
                }
            }
        }
        return firstWrong == null
                ? null
                : "session " + firstWrong.session + " at node " + firstWrong.node + " read " + firstWrong.key
                        + " at cut " + firstWrong.cutMicros + " and got " + firstWrong.content + " instead of " + due
                        + "; mutations: " + describe(firstWrong);
    }

    private String describe(Read read) {
        StringBuilder text = new StringBuilder();
        for (Known known : mutationsOf(read.key)) {
            if (Math.abs(known.update.id().timestampMicros() - read.cutMicros) < 3_000_000) {
                text.append("\n  ")
                        .append(known.update)
                        .append(" tau ")
                        .append(known.tauMicros)
                        .append(" applied ");
                text.append(Arrays.toString(known.appliedMicros));
            }
        }
        return text.toString();
    }
}
