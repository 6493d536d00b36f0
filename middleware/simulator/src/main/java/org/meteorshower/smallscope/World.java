/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.smallscope;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meteorshower.simulator.Bug;

/** The rules of a small world: what may happen in a state, and what it makes of it. Not thread-safe. */
final class World {
    private static final int NODES = LocalNode.NODES;

    /** By then all streams have begun, every table report has come, and delays are measured. */
    private static final int WARM_UP_ROUNDS = 4;

    /** Hears which steps the nodes take. */
    interface Observer {
        Observer NONE = (node, step) -> {};

        void step(int node, Step step);
    }

    final Scenario scenario;
    final Pools pools = new Pools();
    final Pool<Client> clients = Pool.byEquality();
    private final List<LocalStates> nodes = new ArrayList<>();
    private final Judge judge;
    private Observer observer = Observer.NONE;
    private @Nullable String broken;

    World(Scenario scenario) {
        this.scenario = scenario;
        for (int node = 0; node < NODES; node++) {
            nodes.add(new LocalStates(node, scenario, pools));
        }
        judge = new Judge(this);
    }

    void observe(Observer by) {
        observer = by;
    }

    LocalStates node(int number) {
        return nodes.get(number);
    }

    /** What the last move broke, described; null where nothing. */
    @Nullable
    String broken() {
        return broken;
    }

    /** Three nodes that hear each other, and no operation begun. */
    WorldState start() {
        WorldState state = new WorldState(scenario.sessions().size());
        int nobody = clients.number(Client.NEW);
        Arrays.fill(state.clients, nobody);
        for (int node = 0; node < NODES; node++) {
            step(state, node, new Step.Start());
        }
        for (int round = 0; round < WARM_UP_ROUNDS; round++) {
            // What was sent before a tick arrives after it: so a link's delay is measured to be one tick.
            int[] waiting = new int[NODES * NODES];
            for (int link = 0; link < waiting.length; link++) {
                waiting[link] = state.onLink(link / NODES, link % NODES);
            }
            for (int node = 0; node < NODES; node++) {
                step(state, node, new Step.Tick());
            }
            for (int link = 0; link < waiting.length; link++) {
                for (int i = 0; i < waiting[link]; i++) {
                    hear(state, link / NODES, link % NODES, 0);
                }
            }
        }
        for (boolean quiet = false; !quiet; ) {
            quiet = true;
            for (int link = 0; link < NODES * NODES; link++) {
                if (state.onLink(link / NODES, link % NODES) > 0) {
                    hear(state, link / NODES, link % NODES, 0);
                    quiet = false;
                }
            }
        }
        state.faultsLeft = scenario.mostFaults();
        return state;
    }

    private boolean mayTick(WorldState state) {
        int ticks = 0;
        for (int node = 0; node < NODES; node++) {
            ticks += nodes.get(node).ticks(state.nodes[node]) - WARM_UP_ROUNDS;
        }
        return ticks < scenario.ticks();
    }

    /** What may happen, faults last. */
    List<Integer> moves(WorldState state) {
        List<Integer> moves = new ArrayList<>(16);
        for (int node = 0; node < NODES; node++) {
            for (int i = nodes.get(node).tasks(state.nodes[node]).size() - 1; i >= 0; i--) {
                moves.add(Move.of(Move.Kind.GO_ON, node, i));
            }
        }
        for (int node = 0; node < NODES; node++) {
            for (int i = 0; i < state.parcelsTo(node); i++) {
                if (i == 0 || state.parcel(node, i) != state.parcel(node, i - 1)) {
                    moves.add(Move.of(Move.Kind.TAKE, node, i));
                }
            }
        }
        for (int node = 0; node < NODES; node++) {
            for (int from = 0; from < NODES; from++) {
                if (state.onLink(from, node) > 0) {
                    moves.add(Move.of(Move.Kind.HEAR, node, from));
                }
            }
        }
        for (int session = 0; session < state.clients.length; session++) {
            Client client = clients.get(state.clients[session]);
            if (!client.waiting()
                    && client.results().size()
                            < scenario.sessions().get(session).size()) {
                moves.add(Move.of(Move.Kind.BEGIN, session, 0));
            }
        }
        if (mayTick(state)) {
            for (int node = 0; node < NODES; node++) {
                moves.add(Move.of(Move.Kind.TICK, node, 0));
            }
        }
        if (state.faultsLeft > 0) {
            faults(state, moves);
        }
        return moves;
    }

    private void faults(WorldState state, List<Integer> moves) {
        for (int node = 0; node < NODES; node++) {
            addIf(Fault.CRASH, moves, Move.of(Move.Kind.CRASH, node, 0));
            addIf(Fault.CRASH_AND_RESET, moves, Move.of(Move.Kind.CRASH_AND_RESET, node, 0));
            for (int i = 0; i < state.parcelsTo(node); i++) {
                addIf(Fault.LOSE, moves, Move.of(Move.Kind.LOSE_MUTATION, node, i));
            }
            for (int from = 0; from < NODES; from++) {
                int waiting = state.onLink(from, node);
                if (waiting > 0) {
                    addIf(Fault.LOSE, moves, Move.of(Move.Kind.LOSE, node, from));
                    addIf(Fault.REPEAT, moves, Move.of(Move.Kind.REPEAT, node, from));
                }
                if (waiting > 1) {
                    addIf(Fault.OVERTAKE, moves, Move.of(Move.Kind.OVERTAKE, node, from));
                    addIf(Fault.RESET, moves, Move.of(Move.Kind.RESET, node, from));
                }
            }
        }
    }

    private void addIf(Fault fault, List<Integer> moves, int move) {
        if (scenario.faults().contains(fault)) {
            moves.add(move);
        }
    }

    /** Lets one thing happen, which {@link #moves} has told; {@link #broken} says what is wrong then. */
    void make(WorldState state, int move) {
        broken = null;
        int of = Move.of(move);
        int which = Move.which(move);
        switch (Move.kind(move)) {
            case GO_ON -> step(state, of, new Step.GoOn(which));
            case TAKE -> {
                int parcel = state.parcel(of, which);
                state.takeParcel(of, which);
                step(state, of, new Step.Take(parcel));
            }
            case HEAR -> hear(state, which, of, 0);
            case BEGIN -> begin(state, of);
            case TICK -> step(state, of, new Step.Tick());
            case CRASH -> crash(state, of);
            case CRASH_AND_RESET -> {
                for (int other = 0; other < NODES; other++) {
                    state.clearLink(of, other);
                    state.clearLink(other, of);
                    for (int i = state.parcelsTo(other) - 1; i >= 0; i--) {
                        if (other == of
                                || pools.parcels().get(state.parcel(other, i)).coordinator() == of) {
                            state.takeParcel(other, i);
                        }
                    }
                }
                crash(state, of);
            }
            case LOSE -> state.takeFromLink(which, of, 0);
            case LOSE_MUTATION -> state.takeParcel(of, which);
            case OVERTAKE -> hear(state, which, of, 1);
            case REPEAT -> step(state, of, new Step.Hear(which, state.batch(which, of, 0)));
            case RESET -> state.clearLink(which, of);
        }
        if (Move.kind(move).isFault()) {
            state.faultsLeft--;
        }
    }

    private void hear(WorldState state, int from, int to, int index) {
        int batch = state.batch(from, to, index);
        state.takeFromLink(from, to, index);
        step(state, to, new Step.Hear(from, batch));
    }

    private void begin(WorldState state, int session) {
        Client client = clients.get(state.clients[session]);
        int operation = client.results().size();
        state.clients[session] = clients.number(client.begins());
        int node = scenario.sessions().get(session).get(operation).node();
        step(state, node, new Step.Begin(session, operation, client.tokenMicros()));
    }

    private void crash(WorldState state, int node) {
        for (int session = 0; session < state.clients.length; session++) {
            Client client = clients.get(state.clients[session]);
            if (client.waiting()
                    && scenario.sessions()
                                    .get(session)
                                    .get(client.results().size() - 1)
                                    .node()
                            == node) {
                state.clients[session] = clients.number(client.givesUp());
            }
        }
        step(state, node, new Step.Crash());
    }

    private void step(WorldState state, int node, Step step) {
        observer.step(node, step);
        LocalStates states = nodes.get(node);
        int before = state.nodes[node];
        LocalStates.Transition transition = states.step(before, step);
        state.nodes[node] = transition.to();
        boolean heard = false;
        for (Output output : transition.outputs()) {
            if (output instanceof Output.Told told) {
                state.send(node, told.to(), told.batch());
            } else if (output instanceof Output.Shipped shipped) {
                state.ship(shipped.to(), shipped.parcel());
            } else if (output instanceof Output.Broken what) {
                broken = "invariant: " + what.what();
            } else {
                int session = session(output);
                Client client = clients.get(state.clients[session]);
                state.clients[session] =
                        clients.number(client.hears(output, scenario.bug() != Bug.WRITE_TOKEN_DROPPED));
                heard = true;
            }
        }
        if (broken == null && (heard || states.stampsNumber(before) != states.stampsNumber(transition.to()))) {
            broken = judge.complaint(state);
        }
    }

    private static int session(Output output) {
        if (output instanceof Output.Stamped stamped) {
            return stamped.session();
        } else if (output instanceof Output.Written written) {
            return written.session();
        } else if (output instanceof Output.Read read) {
            return read.session();
        } else if (output instanceof Output.Refused refused) {
            return refused.session();
        }
        throw new IllegalStateException("nobody hears of " + output);
    }
}
