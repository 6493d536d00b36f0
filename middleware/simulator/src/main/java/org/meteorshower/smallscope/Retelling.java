/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.smallscope;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meteorshower.simulator.Trace;
import org.meteorshower.simulator.Transcript;

/** Runs one schedule again, for people to read: each move, and what the node that made it was told and wanted. */
final class Retelling {
    private final Scenario scenario;
    private final Consumer<String> lines;

    Retelling(Scenario scenario, Consumer<String> lines) {
        this.scenario = scenario;
        this.lines = lines;
    }

    /**
     * Returns what is wrong in the end, described; null where nothing is.
     *
     * @throws IllegalArgumentException if something in the schedule cannot happen
     */
    @Nullable
    String of(List<Integer> schedule) {
        World world = new World(scenario);
        boolean[] tells = {false};
        Transcript transcript = new Transcript(lines);
        Trace trace = (nowMicros, node, what) -> {
            if (tells[0]) {
                transcript.step(nowMicros, node, what);
            }
        };
        List<LocalNode> nodes = new ArrayList<>();
        for (int node = 0; node < LocalNode.NODES; node++) {
            nodes.add(new LocalNode(node, scenario, world.pools, trace));
        }
        world.observe((node, step) -> nodes.get(node).step(step));
        WorldState state = world.start();
        tells[0] = true;
        lines.accept(scenario.name() + ": " + scenario.meaning());
        for (int i = 0; i < schedule.size(); i++) {
            int move = schedule.get(i);
            if (!world.moves(state).contains(move)) {
                throw new IllegalArgumentException("move " + (i + 1) + " of the schedule, " + Move.shortly(move)
                        + ", cannot happen there: it is of another scenario, or of another version");
            }
            lines.accept((i + 1) + ". " + Move.words(move));
            int[] before = state.clients.clone();
            world.make(state, move);
            for (int session = 0; session < before.length; session++) {
                if (before[session] != state.clients[session]) {
                    lines.accept("           s" + session + " " + words(world.clients.get(state.clients[session])));
                }
            }
            if (world.broken() != null) {
                return world.broken();
            }
        }
        return null;
    }

    private static String words(Client client) {
        String token = "; its token is " + seconds(client.tokenMicros());
        Client.Result last = client.results().get(client.results().size() - 1);
        return switch (last.outcome()) {
            case OPEN -> client.waiting() ? "waits" : "does not know what became of its operation";
            case REFUSED -> "was refused";
            case DONE ->
                (last.timestampMicros() > 0
                                ? "has written"
                                : "has read " + last.content() + " at cut " + seconds(last.cutMicros()))
                        + token;
        };
    }

    /** A hybrid time as the transcripts have it. */
    private static String seconds(long hybridMicros) {
        return hybridMicros == 0
                ? "0"
                : String.format(Locale.ROOT, "%.6f", (hybridMicros - LocalNode.EPOCH_MICROS) / 1e6);
    }
}
