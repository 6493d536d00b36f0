/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meteorshower.simulator.Bug;
import org.meteorshower.simulator.Kind;

/**
 * Simulated runs for whoever judges what clients saw in them.
 *
 * @param name the kind of plan, or the mistake
 * @param isMistaken whether a mistake was made on purpose
 * @param transactions whether clients run transactions
 */
public record SimulatedHistories(String name, boolean isMistaken, boolean transactions, BySeed seeds) {
    /** For {@link #reads} and {@link #transactions}: each seed draws its kind. */
    public static final String ANY_KIND = "any";

    /** Runs a seed. */
    public interface BySeed {
        /** Null where the core itself gave up. */
        @Nullable
        SeenByClients run(long seed);
    }

    /** @throws IllegalArgumentException if there is no such kind */
    public static SimulatedHistories reads(String kind) {
        Kind named = kind.equals(ANY_KIND) ? null : Kind.named(kind);
        Runs runs = Runs.of(Bug.NONE);
        return new SimulatedHistories(
                kind, false, false, seed -> runs.run(named == null ? Kind.of(seed) : named, seed, null)
                        .seen());
    }

    /** @throws IllegalArgumentException if there is no such kind */
    public static SimulatedHistories transactions(String kind) {
        var named = kind.equals(ANY_KIND) ? null : org.meteorshower.transactions.simulator.Kind.named(kind);
        CatenaeRuns runs = CatenaeRuns.plain();
        return new SimulatedHistories(kind, false, true, seed -> runs.run(
                        named == null ? org.meteorshower.transactions.simulator.Kind.of(seed) : named, seed, null)
                .seen());
    }

    /** Of reads, all mistakes that are made on purpose. Classes are loaded for one when its first seed is run. */
    public static List<SimulatedHistories> mistakenReads() {
        return Mutants.all().stream().map(SimulatedHistories::mistaken).toList();
    }

    /** The same of transactions. */
    public static List<SimulatedHistories> mistakenTransactions() {
        return CatenaeMutants.all().stream().map(SimulatedHistories::mistaken).toList();
    }

    private static SimulatedHistories mistaken(Mutant mutant) {
        Lazy<Runs> runs = new Lazy<>(mutant::runs);
        return new SimulatedHistories(mutant.name(), true, false, seed -> runs.get()
                .run(mutant.kind(), seed, null)
                .seen());
    }

    private static SimulatedHistories mistaken(CatenaeMutant mutant) {
        Lazy<CatenaeRuns> runs = new Lazy<>(mutant::runs);
        return new SimulatedHistories(mutant.name(), true, true, seed -> runs.get()
                .run(mutant.kind(), seed, null)
                .seen());
    }
}
