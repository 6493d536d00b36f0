/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Finds out why an execution is stuck: who waits for whom, down to writes that must not yet replace a value because a
 * read of it waits for another such write. Each such write could have been done before the value it must not replace.
 */
final class Waits {
    private final Problem problem;
    private final Graph graph;
    private final Execution execution;
    private final WriteRanks ranks;
    private final Predicate<Cure> possible;
    private final int[] inOffset;
    private final int[] in; // edges

    /** Had {@code first} been done before {@code second}, which was done, this wait would not be. */
    record Cure(int first, int second) {}

    /** @param possible whether a cure may be tried at all */
    Waits(Problem problem, Graph graph, Execution execution, WriteRanks ranks, Predicate<Cure> possible) {
        this.ranks = ranks;
        this.possible = possible;
        this.problem = problem;
        this.graph = graph;
        this.execution = execution;
        inOffset = new int[graph.nodes + 1];
        int[] degrees = graph.inDegrees();
        for (int v = 0; v < graph.nodes; v++) {
            inOffset[v + 1] = inOffset[v] + degrees[v];
        }
        in = new int[graph.edges.size()];
        int[] next = inOffset.clone();
        for (int e = 0; e < in.length; e++) {
            in[next[graph.edges.to(e)]++] = e;
        }
    }

    /** The possible cures of one circle of waits; empty where none was found. */
    List<Cure> cures() {
        List<Cure> cures = cures(execution.readyNullReads());
        return cures.isEmpty() ? cures(execution.readyWrites()) : cures;
    }

    private List<Cure> cures(NodeSet ready) {
        for (int i = 0; i < ready.size(); i++) {
            if (!problem.optional.get(ready.get(i))) {
                List<Cure> cures =
                        follow(ready.get(i)).stream().filter(possible).toList();
                if (!cures.isEmpty()) {
                    return cures;
                }
            }
        }
        return List.of();
    }

    private List<Cure> follow(int start) {
        List<Integer> blocked = new ArrayList<>();
        List<Cure> cures = new ArrayList<>(); // one each of blocked
        Set<Integer> seen = new HashSet<>();
        int node = start;
        while (seen.add(node)) {
            int waitsFor;
            if (!execution.isReady(node)) {
                waitsFor = notDoneBefore(node);
            } else if (!problem.isWrite(node)) {
                List<Cure> own = curesOfNullRead(node);
                if (own.stream().anyMatch(possible)) {
                    return own;
                }
                waitsFor = deleteNotDone(node);
            } else {
                int current = execution.current(problem.key[node]);
                boolean robs = current >= 0 && execution.pendingReads(current) > 0;
                if (robs) {
                    blocked.add(node);
                    cures.add(new Cure(node, current));
                }
                waitsFor = robs ? readOf(current) : nullReadOf(problem.key[node]);
            }
            if (waitsFor == Problem.NONE) {
                return List.of();
            }
            node = waitsFor;
        }
        int circle = blocked.indexOf(node);
        return circle < 0 ? cures : cures.subList(circle, cures.size());
    }

    /**
     * Either the read should have come before the key was given a value, or a delete after the value it has, or before
     * a write of larger version an optional delete, which is then too late.
     */
    private List<Cure> curesOfNullRead(int read) {
        int key = problem.key[read];
        List<Cure> cures = new ArrayList<>();
        cures.add(new Cure(read, execution.lastOverNull(key)));
        for (int i = problem.writeOffset[key]; i < problem.writeOffset[key + 1]; i++) {
            int write = problem.writes[i];
            if (problem.isDelete(write) && execution.isDone(write)) {
                cures.add(new Cure(execution.current(key), write));
            } else if (problem.isDelete(write) && problem.optional.get(write)) {
                int tooSoon = firstPast(write);
                if (tooSoon != Problem.NONE) {
                    cures.add(new Cure(read, tooSoon));
                }
            }
        }
        return cures;
    }

    /** The first write done to the key of a delete that has a larger version than it, or NONE. */
    private int firstPast(int delete) {
        int key = problem.key[delete];
        int first = Problem.NONE;
        for (int i = problem.writeOffset[key]; i < problem.writeOffset[key + 1]; i++) {
            int write = problem.writes[i];
            boolean past = execution.isDone(write) && problem.versionBefore(delete, write);
            if (past && (first == Problem.NONE || execution.position(write) < execution.position(first))) {
                first = write;
            }
        }
        return first;
    }

    /** The earliest delete that the read may still be waiting for. */
    private int deleteNotDone(int read) {
        int key = problem.key[read];
        int earliest = Problem.NONE;
        for (int i = problem.writeOffset[key]; i < problem.writeOffset[key + 1]; i++) {
            int write = problem.writes[i];
            boolean mayCome = problem.isDelete(write)
                    && !execution.isDone(write)
                    && !(problem.optional.get(write) && execution.isReady(write));
            if (mayCome && (earliest == Problem.NONE || ranks.rank(write) < ranks.rank(earliest))) {
                earliest = write;
            }
        }
        return earliest;
    }

    private int notDoneBefore(int node) {
        for (int i = inOffset[node]; i < inOffset[node + 1]; i++) {
            int before = graph.edges.from(in[i]);
            if (!execution.isDone(before)) {
                return before;
            }
        }
        return execution.requiredBefore(node);
    }

    private int readOf(int write) {
        for (int i = graph.offset[write]; i < graph.offset[write + 1]; i++) {
            int read = graph.target(i);
            if (!problem.isHelper(read) && problem.readsFrom[read] == write && !execution.isDone(read)) {
                return read;
            }
        }
        return Problem.NONE;
    }

    private int nullReadOf(int key) {
        for (int read = 0; read < problem.opNodes; read++) {
            if (problem.readsFrom[read] == Problem.AMBIGUOUS && problem.key[read] == key && !execution.isDone(read)) {
                return read;
            }
        }
        return Problem.NONE;
    }
}
