/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.smallscope;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.meteorshower.protocol.Message;
import org.meteorshower.simulator.Trace;

/**
 * The states that one node can be in, found as they are needed, and what each step makes of them. A core can neither be
 * copied nor set back; a node in some state is made by taking the steps that first led there. But the same step from
 * the same state is taken once, however many states of the world it is part of. Not thread-safe.
 */
final class LocalStates {
    private static final int LIVE = 3_000;

    /** Where a step leads, and what others see of it. */
    record Transition(int to, List<Output> outputs) {}

    private static final class State {
        final int before;
        final Step via;
        final int ticks;
        final List<String> tasks;
        final int stamps;
        final Map<Step, Transition> after = new HashMap<>(4);

        State(int before, Step via, int ticks, List<String> tasks, int stamps) {
            this.before = before;
            this.via = via;
            this.ticks = ticks;
            this.tasks = tasks;
            this.stamps = stamps;
        }
    }

    private final int number;
    private final Scenario scenario;
    private final Pools pools;
    private final List<State> states = new ArrayList<>();
    private final Map<Fingerprint, Integer> numbers = new HashMap<>();
    private final Pool<Map<Message.RetiredMutation, Witness.Stamp>> stamps = Pool.byStructure();

    /** Nodes as they stood in some state when last used. */
    private final Map<Integer, LocalNode> live = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, LocalNode> eldest) {
            return size() > LIVE;
        }
    };

    private long taken;

    LocalStates(int number, Scenario scenario, Pools pools) {
        this.number = number;
        this.scenario = scenario;
        this.pools = pools;
        states.add(new State(-1, new Step.Start(), 0, List.of(), stamps.number(Map.of())));
    }

    /** @param state as an earlier transition told; 0 for a node that has not started */
    Transition step(int state, Step step) {
        Map<Step, Transition> after = states.get(state).after;
        Transition known = after.get(step);
        if (known == null) {
            known = take(state, step);
            after.put(step, known);
        }
        return known;
    }

    private Transition take(int state, Step step) {
        LocalNode node = live.remove(state);
        if (node == null) {
            node = again(state);
        }
        List<Output> outputs = List.copyOf(node.step(step));
        taken++;
        Fingerprint print = node.fingerprint();
        Integer to = numbers.get(print);
        if (to == null) {
            to = states.size();
            numbers.put(print, to);
            states.add(new State(
                    state,
                    step,
                    node.ticks(),
                    node.tasks(),
                    stamps.number(node.witness().stamps())));
        }
        live.put(to, node);
        return new Transition(to, outputs);
    }

    private LocalNode again(int state) {
        LocalNode node = new LocalNode(number, scenario, pools, Trace.NONE);
        steps(state).forEach(step -> {
            node.again(step);
            taken++;
        });
        return node;
    }

    /** Steps that lead to this state. */
    List<Step> steps(int state) {
        ArrayDeque<Step> steps = new ArrayDeque<>();
        for (int at = state; at > 0; at = states.get(at).before) {
            steps.addFirst(states.get(at).via);
        }
        return new ArrayList<>(steps);
    }

    int ticks(int state) {
        return states.get(state).ticks;
    }

    List<String> tasks(int state) {
        return states.get(state).tasks;
    }

    /** A number for what the node has stamped when it is in this state. */
    int stampsNumber(int state) {
        return states.get(state).stamps;
    }

    Map<Message.RetiredMutation, Witness.Stamp> stamps(int state) {
        return stamps.get(stampsNumber(state));
    }

    int size() {
        return states.size();
    }

    /** How many steps real cores were made to take. */
    long taken() {
        return taken;
    }
}
