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
            String session, int node, PartitionKey key, int from, int to, long cutMicros, Map<Integer, Cell> content) {}

    private final int nodes;
    private final int writeQuorum;
    private final Map<Name, Known> mutations = new HashMap<>();
    private final Map<PartitionKey, List<Known>> byKey = new HashMap<>();
    private final List<Read> reads = new ArrayList<>();

    Oracle(int nodes, int writeQuorum) {
        this.nodes = nodes;
        this.writeQuorum = writeQuorum;
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

    void read(
            String session, int node, PartitionKey key, int from, int to, long cutMicros, Map<Integer, Cell> content) {
        reads.add(new Read(session, node, key, from, to, cutMicros, content));
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
