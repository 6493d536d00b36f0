/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meteorshower.checker.transactions.IsolationModel;
import org.meteorshower.checker.transactions.RecordedTransaction;
import org.meteorshower.simulator.Trace;
import org.meteorshower.transactions.simulator.servers.ServersPlan;
import org.meteorshower.transactions.simulator.servers.ServersWorld;

/** A run and what its verifiers say of it. */
public final class CheckedRun {
    private final SimulationResult result;
    private final @Nullable String checker;

    /** Of a run of chain servers, what it comes to; else null. */
    private final @Nullable ServersWorld servers;

    private CheckedRun(SimulationResult result, @Nullable String checker, @Nullable ServersWorld servers) {
        this.result = result;
        this.checker = checker;
        this.servers = servers;
    }

    public static CheckedRun of(Kind kind, long seed, Trace trace) {
        return of(kind.plan(seed), trace);
    }

    /** A plan that may be of no seed. */
    public static CheckedRun of(Plan plan, Trace trace) {
        return judged(new Simulation(plan, trace).run());
    }

    /**
     * For those who know the simulator by name only.
     *
     * @param lines gets the transcript; null where nobody reads it
     */
    public static CheckedRun of(String kind, long seed, @Nullable Consumer<String> lines) {
        Kind named = Kind.named(kind);
        ServersPlan.About about = named.servers();
        if (about != null) {
            return ofServers(ServersPlan.of(about, seed), lines);
        }
        return of(named, seed, lines == null ? Trace.NONE : new Transcript(lines));
    }

    private static CheckedRun ofServers(ServersPlan plan, @Nullable Consumer<String> lines) {
        ServersWorld world = new ServersWorld(plan, lines);
        world.run();
        String stall = world.violation() != null || world.isSettled()
                ? null
                : "not all has ended, and is in the tables, long after all nodes were well: " + world.summary();
        SimulationResult result =
                new SimulationResult(List.of(), world.violation(), null, stall, plan.entries(), 0, 0, 0, Map.of());
        return new CheckedRun(result, null, world);
    }

    /** The same, of a plan that may be of no seed. */
    public static CheckedRun of(Plan plan, @Nullable Consumer<String> lines) {
        return of(plan, lines == null ? Trace.NONE : new Transcript(lines));
    }

    static CheckedRun judged(SimulationResult result) {
        return new CheckedRun(result, Histories.complaint(result), null);
    }

    SimulationResult result() {
        return result;
    }

    /** Operations that clients began. */
    public long operations() {
        return servers == null ? result.operations().size() : servers.transactions();
    }

    /** The run's figures in a line. */
    public String summary() {
        return servers == null ? result.toString() : servers.summary();
    }

    /** What clients saw of the lists, as far as this model is about it: snapshot reads may be stale. */
    public List<RecordedTransaction> history(IsolationModel model) {
        return Histories.of(result, model);
    }

    /** What is wrong with the run; null where nothing is. */
    public @Nullable String complaint() {
        if (result.violation() != null) {
            return "oracle: " + result.violation();
        } else if (checker != null) {
            return "checker: " + checker;
        } else if (result.audit() != null) {
            return "audit: " + result.audit();
        }
        return result.stall() == null ? null : "liveness: " + result.stall();
    }

    /**
     * Which verifiers found something: "oracle", "checker", "audit", "liveness", joined by "+"; empty where none did.
     */
    public String foundBy() {
        StringBuilder found = new StringBuilder();
        add(found, "checker", checker);
        add(found, "oracle", result.violation());
        add(found, "audit", result.audit());
        add(found, "liveness", result.stall());
        return found.toString();
    }

    private static void add(StringBuilder found, String verifier, @Nullable String complaint) {
        if (complaint != null) {
            found.append(found.isEmpty() ? "" : "+").append(verifier);
        }
    }
}
