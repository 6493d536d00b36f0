/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.smallscope;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.meteorshower.checker.CheckReport;
import org.meteorshower.checker.History;
import org.meteorshower.checker.HistoryBuilder;
import org.meteorshower.checker.Operation;
import org.meteorshower.checker.Outcome;
import org.meteorshower.checker.SequentialChecker;
import org.meteorshower.checker.Verdict;
import org.meteorshower.protocol.Message;
import org.meteorshower.simulator.Cell;
import org.meteorshower.simulator.CellUpdate;

/**
 * Says what is wrong with a state of the world, by two means that share nothing: whether each read returned the content
 * at its cut, which follows from the nodes' stamps; and whether what the sessions saw has a sequential order. Not
 * thread-safe.
 */
final class Judge {
    private static final int W = LocalNode.NODES / 2 + 1;

    private final World world;

    /** What the checker said of a history, by its fingerprint; an empty text where it is fine. */
    private final Map<Fingerprint, String> checked = new HashMap<>();

    Judge(World world) {
        this.world = world;
    }

    /** What is wrong, described; null where nothing is. */
    @Nullable
    String complaint(WorldState state) {
        String wrong = wrongRead(state);
        return wrong != null ? wrong : disorder(state);
    }

    // --- the oracle --------------------------------------------------------------------------------------------

    private record Known(CellUpdate update, long tauMicros) {}

    private @Nullable String wrongRead(WorldState state) {
        List<Known> mutations = null;
        for (int session = 0; session < state.clients.length; session++) {
            List<Client.Result> results =
                    world.clients.get(state.clients[session]).results();
            for (int i = 0; i < results.size(); i++) {
                Op op = world.scenario.sessions().get(session).get(i);
                Client.Result result = results.get(i);
                if (op.isWrite() || result.outcome() != Client.Outcome.DONE) {
                    continue;
                }
                mutations = mutations == null ? mutations(state) : mutations;
                Map<Integer, Cell> content = content(mutations, op, result.cutMicros());
                if (!content.equals(result.content())) {
                    return "oracle: s" + session + " read row " + op.row() + " of p" + op.partition() + " at cut "
                            + result.cutMicros() + " and got " + result.content() + " instead of " + content
                            + "; mutations: " + mutations;
                }
            }
        }
        return null;
    }

    private List<Known> mutations(WorldState state) {
        Map<Message.RetiredMutation, long[]> stamps = new HashMap<>();
        Map<Message.RetiredMutation, CellUpdate> updates = new HashMap<>();
        for (int node = 0; node < LocalNode.NODES; node++) {
            int at = node;
            world.node(node).stamps(state.nodes[node]).forEach((name, stamp) -> {
                updates.put(name, stamp.update());
                stamps.computeIfAbsent(name, n -> {
                            long[] never = new long[LocalNode.NODES];
                            Arrays.fill(never, Long.MAX_VALUE);
                            return never;
                        })[at] =
                        stamp.appliedMicros();
            });
        }
        List<Known> known = new ArrayList<>();
        stamps.forEach((name, applied) -> {
            Arrays.sort(applied);
            CellUpdate update = updates.get(name);
            if (update != null) {
                known.add(new Known(update, applied[W - 1]));
            }
        });
        return known;
    }

    private static Map<Integer, Cell> content(List<Known> mutations, Op read, long cutMicros) {
        Map<Integer, Cell> content = new TreeMap<>();
        for (Known known : mutations) {
            if (known.tauMicros <= cutMicros && known.update.key().bytes()[1] == read.partition()) {
                known.update.cells().forEach((cell, value) -> {
                    if (cell / 100 == read.row()) {
                        content.merge(cell, value, Cell::latest);
                    }
                });
            }
        }
        return content;
    }

    // --- the checker -------------------------------------------------------------------------------------------

    private @Nullable String disorder(WorldState state) {
        List<List<List<Operation>>> sessions = sessions(state);
        String known = checked.computeIfAbsent(Digest.of(sessions), s -> {
            String wrong = check(sessions);
            return wrong == null ? "" : wrong;
        });
        return known.isEmpty() ? null : known;
    }

    /**
     * Of each session, of each operation, what it did to cells. The cells of one write have no order among themselves.
     */
    private List<List<List<Operation>>> sessions(WorldState state) {
        List<Long> timestamps = new ArrayList<>();
        for (int client : state.clients) {
            world.clients.get(client).results().forEach(result -> timestamps.add(result.timestampMicros()));
        }
        Collections.sort(timestamps);
        List<List<List<Operation>>> sessions = new ArrayList<>();
        for (int session = 0; session < state.clients.length; session++) {
            List<List<Operation>> operations = new ArrayList<>();
            List<Client.Result> results =
                    world.clients.get(state.clients[session]).results();
            for (int i = 0; i < results.size(); i++) {
                Op op = world.scenario.sessions().get(session).get(i);
                Client.Result result = results.get(i);
                List<Operation> cells = new ArrayList<>();
                if (op.isWrite() && result.timestampMicros() > 0) {
                    // Only the order of the timestamps counts: so many histories are the same one.
                    int version = timestamps.indexOf(result.timestampMicros());
                    op.write().forEach((cell, value) -> {
                        String register = "p" + op.partition() + "/" + cell;
                        cells.add(
                                result.outcome() == Client.Outcome.DONE
                                        ? Operation.write("s", register, value, 0, 0, version)
                                        : Operation.unknownWrite("s", register, value, 0, version));
                    });
                } else if (!op.isWrite() && result.outcome() == Client.Outcome.DONE) {
                    for (int cell : columns(op)) {
                        Cell value = result.content().get(cell);
                        cells.add(Operation.read(
                                "s", "p" + op.partition() + "/" + cell, value == null ? null : value.value(), 0, 0));
                    }
                }
                operations.add(cells);
            }
            sessions.add(operations);
        }
        return sessions;
    }

    /** The cells of the row that anybody writes. */
    private List<Integer> columns(Op read) {
        return world.scenario.sessions().stream()
                .flatMap(List::stream)
                .filter(op -> op.partition() == read.partition())
                .flatMap(op -> op.write().keySet().stream())
                .filter(cell -> cell / 100 == read.row())
                .distinct()
                .sorted()
                .toList();
    }

    /** Null where, with the cells of each write in one order or the other, a sequential order exists. */
    private static @Nullable String check(List<List<List<Operation>>> sessions) {
        List<List<Operation>> several = new ArrayList<>();
        sessions.forEach(operations -> operations.stream()
                .filter(cells -> cells.size() > 1 && cells.get(0).type() == Operation.Type.WRITE)
                .forEach(several::add));
        String complaint = null;
        for (int flips = 0; flips < 1 << several.size(); flips++) {
            HistoryBuilder history = History.builder();
            for (int session = 0; session < sessions.size(); session++) {
                int nanos = 0;
                for (List<Operation> operation : sessions.get(session)) {
                    int at = several.indexOf(operation);
                    List<Operation> cells = new ArrayList<>(operation);
                    if (at >= 0 && (flips >> at & 1) == 1) {
                        Collections.reverse(cells);
                    }
                    for (Operation cell : cells) {
                        history.add(at(cell, "s" + session, nanos));
                        nanos += 10;
                    }
                }
            }
            History built = history.build();
            Verdict verdict = SequentialChecker.check(built);
            if (verdict.outcome() == Outcome.CONSISTENT) {
                return null;
            }
            complaint = "checker: " + CheckReport.of(built, verdict, 0);
        }
        return complaint;
    }

    private static Operation at(Operation op, String session, long nanos) {
        boolean open = op.endNanos() == Operation.NO_END;
        return new Operation(
                session,
                op.type(),
                op.key(),
                op.value(),
                nanos,
                open ? Operation.NO_END : nanos + 5,
                op.status(),
                op.version());
    }
}
