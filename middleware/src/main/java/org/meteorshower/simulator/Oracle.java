/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.ReadMode;

/**
 * The verifier that knows everything: each replica's first stamp of each mutation, so τ, so the content at every cut. Every
 * read must return the content at its cut; this needs no history of clients and does not lean on the proof.
 */
final class Oracle {
    private record Name(PartitionKey key, MutationId id) {}

    private static final class Known {
        final CellUpdate update;
        final long[] appliedMicros;

        Known(CellUpdate update, int nodes) {
            this.update = update;
            this.appliedMicros = new long[nodes];
            Arrays.fill(appliedMicros, Long.MAX_VALUE);
        }
    }

    private record Read(
            String session,
            int node,
            PartitionKey key,
            int from,
            int to,
            long beganMicros,
            long cutMicros,
            Map<Integer, Cell> content) {}

    private final int nodes;
    private final int writeQuorum;
    private final Map<Name, Known> mutations = new HashMap<>();
    private final Map<PartitionKey, List<Known>> byKey = new HashMap<>();
    private final List<Read> reads = new ArrayList<>();

    /** A write that a client was told of: when, in true time. */
    private record Acknowledged(Name name, long atMicros) {}

    /** Since when, in true time, a read that begins must see a write. */
    private record Due(CellUpdate update, long sinceMicros, long positionMicros) {}

    private final List<Acknowledged> acknowledged = new ArrayList<>();

    /** What a read that began this much later must see; infinite where the mode promises nothing. */
    private final long boundMicros;

    Oracle(SimulationPlan plan) {
        this.nodes = plan.nodes();
        this.writeQuorum = plan.writeQuorum();
        this.boundMicros = plan.mode().kind() == ReadMode.Kind.BOUNDED
                ? plan.mode().thetaMicros() + plan.settings().clockErrorMicros()
                : Long.MAX_VALUE;
    }

    void stamped(int node, CellUpdate update, long appliedMicros) {
        Known known = mutations.computeIfAbsent(new Name(update.key(), update.id()), n -> {
            Known made = new Known(update, nodes);
            byKey.computeIfAbsent(update.key(), k -> new ArrayList<>()).add(made);
            return made;
        });
        if (known.appliedMicros[node] == Long.MAX_VALUE) {
            known.appliedMicros[node] = appliedMicros;
        }
    }

    /** @param beganMicros true time */
    void read(
            String session,
            int node,
            PartitionKey key,
            int from,
            int to,
            long beganMicros,
            long cutMicros,
            Map<Integer, Cell> content) {
        reads.add(new Read(session, node, key, from, to, beganMicros, cutMicros, content));
    }

    /** @param atMicros true time */
    void acknowledged(CellUpdate update, long atMicros) {
        acknowledged.add(new Acknowledged(new Name(update.key(), update.id()), atMicros));
    }

    /**
     * The first read older than its mode allows, described; null where there is none. A write counts from when its client
     * was told of it, or from when its hybrid time came, whichever is later.
     */
    @Nullable
    String firstStaleRead() {
        if (boundMicros == Long.MAX_VALUE) {
            return null;
        }
        Map<PartitionKey, List<Due>> dueByKey = new HashMap<>();
        for (Acknowledged write : acknowledged) {
            Known known = mutations.get(write.name);
            if (known != null) {
                long positionMicros = positionOf(known);
                long fromMicros = Math.max(write.atMicros, positionMicros - SimulatedNode.EPOCH_MICROS);
                dueByKey.computeIfAbsent(write.name.key(), k -> new ArrayList<>())
                        .add(new Due(known.update, fromMicros + boundMicros, positionMicros));
            }
        }
        for (Read read : reads) {
            for (Due due : dueByKey.getOrDefault(read.key, List.of())) {
                if (due.sinceMicros < read.beganMicros && due.positionMicros > read.cutMicros) {
                    return "session " + read.session + " at node " + read.node + " began to read " + read.key + " at "
                            + read.beganMicros + " and was served at cut " + read.cutMicros + ", but " + due.update
                            + " is visible from " + due.positionMicros + " on, and was due since " + due.sinceMicros;
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

    private long tau(Known mutation) {
        long[] sorted = mutation.appliedMicros.clone();
        Arrays.sort(sorted);
        return sorted[writeQuorum - 1];
    }

    /** pos(W) of one of its cells: the first cut from which a reader sees it or something later. */
    long position(PartitionKey key, int cell, Cell write) {
        long position = Long.MAX_VALUE;
        for (Known known : byKey.getOrDefault(key, List.of())) {
            Cell written = known.update.cells().get(cell);
            if (written != null && written.equals(Cell.latest(written, write))) {
                position = Math.min(position, tau(known));
            }
        }
        return position;
    }

    /** The first read that did not return the content at its cut, described; null where all did. */
    @Nullable
    String firstWrongRead() {
        for (Read read : reads) {
            TreeMap<Integer, Cell> expected = new TreeMap<>();
            for (Known known : byKey.getOrDefault(read.key, List.of())) {
                if (tau(known) <= read.cutMicros) {
                    known.update.cells().forEach((cell, value) -> {
                        if (cell / 100 >= read.from && cell / 100 <= read.to) {
                            expected.merge(cell, value, Cell::latest);
                        }
                    });
                }
            }
            if (!expected.equals(new TreeMap<>(read.content))) {
                return "session " + read.session + " at node " + read.node + " read " + read.key + " at cut "
                        + read.cutMicros + " and got " + read.content + " instead of " + expected + "; mutations: "
                        + describe(read);
            }
        }
        return null;
    }

    private String describe(Read read) {
        StringBuilder text = new StringBuilder();
        for (Known known : byKey.getOrDefault(read.key, List.of())) {
            if (Math.abs(known.update.id().timestampMicros() - read.cutMicros) < 3_000_000) {
                text.append("\n  ")
                        .append(known.update)
                        .append(" tau ")
                        .append(tau(known))
                        .append(" applied ");
                text.append(Arrays.toString(known.appliedMicros));
            }
        }
        return text.toString();
    }
}
