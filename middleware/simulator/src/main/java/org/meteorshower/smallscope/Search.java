/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.smallscope;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tries every order of events within bounds, all schedules of one length before any longer one, and looks at each state
 * that they lead to. Two schedules that lead to the same state are followed once: what a node does depends on nothing
 * but its own steps, so orders that differ only between nodes meet again.
 *
 * <p>One search is run by one thread; {@link #figures} may be asked for by any.
 */
public final class Search {
    private static final int FIGURES_EVERY = 16_384;

    private final Scenario scenario;
    private final Bound bound;
    private final World world;
    private final List<Layer> layers = new ArrayList<>();
    private volatile SearchFigures figures = new SearchFigures(0, false, 1, 0, 0, 0, 0, 0, 0, 1);
    private long states;
    private long transitions;
    private double schedules;
    private long endStates;
    private long endStatesWithAllAnswered;
    private int widest = 1;
    private @Nullable String complaint;
    private List<Integer> schedule = List.of();

    public Search(Scenario scenario, Bound bound) {
        this.scenario = scenario;
        this.bound = bound;
        this.world = new World(scenario);
    }

    /** How far it has come. */
    public SearchFigures figures() {
        return figures;
    }

    /** @param progress hears of the figures now and then */
    public SearchResult run(Consumer<SearchFigures> progress) {
        Layer layer = new Layer();
        layer.add(world.start().packed(), 0, 0, 1);
        states = 1;
        boolean whole = false;
        int depth = 0;
        while (true) {
            layers.add(layer);
            if (depth >= bound.depth() || layer.size() > bound.mostStates()) {
                break;
            }
            Layer next = new Layer();
            boolean finished = follow(layer, next, depth, progress);
            if (!finished) {
                break;
            }
            layer.forgetStates();
            whole = next.size() == 0;
            if (whole) {
                break;
            }
            depth++;
            states += next.size();
            widest = Math.max(widest, next.size());
            layer = next;
            tell(depth, false, progress);
        }
        tell(depth, whole, progress);
        return new SearchResult(scenario, bound, figures, complaint, schedule);
    }

    /** Follows all states of a layer by one event; false where it had to stop. */
    private boolean follow(Layer layer, Layer next, int depth, Consumer<SearchFigures> progress) {
        int sessions = scenario.sessions().size();
        for (int i = 0; i < layer.size(); i++) {
            int[] packed = layer.state(i);
            List<Integer> moves = world.moves(WorldState.of(packed, sessions));
            if (moves.stream().allMatch(move -> Move.kind(move).isFault())) {
                ends(WorldState.of(packed, sessions), layer.schedules(i));
            }
            for (Choice choice : choices(moves, WorldState.of(packed, sessions))) {
                WorldState state = WorldState.of(packed, sessions);
                state.departures += choice.departures;
                state.passedOver = choice.passedOver;
                world.make(state, choice.move);
                transitions++;
                if (world.broken() != null) {
                    complaint = world.broken();
                    schedule = schedule(depth, i, choice.move);
                    return false;
                }
                next.add(state.packed(), i, choice.move, layer.schedules(i));
            }
            if (i % FIGURES_EVERY == FIGURES_EVERY - 1) {
                tell(depth, false, progress);
                if (next.size() > bound.mostStates()) {
                    return false;
                }
            }
        }
        return true;
    }

    private record Choice(int move, int departures, int passedOver) {}

    private List<Choice> choices(List<Integer> moves, WorldState state) {
        List<Choice> choices = new ArrayList<>(moves.size());
        if (bound.departures() == Bound.ANY) {
            moves.forEach(move -> choices.add(new Choice(move, 0, 0)));
            return choices;
        }
        int passed = state.passedOver;
        List<Integer> ordinary =
                moves.stream().filter(move -> !Move.kind(move).isFault()).toList();
        if (ordinary.stream().allMatch(move -> isIn(state.passedOver, move))) {
            passed = 0;
        }
        int extra = 0;
        for (int move : ordinary) {
            if (!isIn(passed, move) && state.departures + extra <= bound.departures()) {
                choices.add(new Choice(move, extra, passed));
                passed |= Move.source(move);
                extra++;
            }
        }
        for (int move : moves) {
            if (Move.kind(move).isFault()) {
                choices.add(new Choice(move, 0, state.passedOver));
            }
        }
        return choices;
    }

    private static boolean isIn(int sources, int move) {
        return (sources & Move.source(move)) != 0;
    }

    private void ends(WorldState state, double ways) {
        schedules += ways;
        endStates++;
        boolean all = true;
        for (int session = 0; session < state.clients.length; session++) {
            List<Client.Result> results =
                    world.clients.get(state.clients[session]).results();
            all &= results.size() == scenario.sessions().get(session).size()
                    && results.stream().allMatch(result -> result.outcome() == Client.Outcome.DONE);
        }
        endStatesWithAllAnswered += all ? 1 : 0;
    }

    /** The moves that led to a state, and one more. */
    private List<Integer> schedule(int depth, int index, int last) {
        List<Integer> moves = new ArrayList<>();
        moves.add(last);
        int at = index;
        for (int d = depth; d > 0; d--) {
            moves.add(layers.get(d).move(at));
            at = layers.get(d).parent(at);
        }
        Collections.reverse(moves);
        return List.copyOf(moves);
    }

    private void tell(int depth, boolean whole, Consumer<SearchFigures> progress) {
        long coreStates = 0;
        long coreSteps = 0;
        for (int node = 0; node < LocalNode.NODES; node++) {
            coreStates += world.node(node).size();
            coreSteps += world.node(node).taken();
        }
        figures = new SearchFigures(
                depth,
                whole,
                states,
                transitions,
                schedules,
                endStates,
                endStatesWithAllAnswered,
                coreStates,
                coreSteps,
                widest);
        progress.accept(figures);
    }
}
