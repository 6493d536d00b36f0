/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.search.Search;
import org.meteorshower.simulator.Bug;

/** Which core is searched: of reads or of transactions, as it is or with a mistake in it. */
final class Searched {
    /** Of each family. */
    private static final int PLANS_FOR_COMMON_BLOCKS = 5;

    /** A search has so many times the plans that are drawn to see which blocks are common, or more. */
    private static final int TIMES = 40;

    private final boolean reads;
    private final List<Patch> patches;
    private final Bug bug;
    private final String replayedWith;
    private final @Nullable String kind;

    /**
     * @param name of the mistake; null: there is none
     * @param kind that shows it
     */
    private Searched(boolean reads, List<Patch> patches, Bug bug, @Nullable String name, @Nullable String kind) {
        this.reads = reads;
        this.patches = patches;
        this.bug = bug;
        this.replayedWith = name == null ? "" : " --mutant " + name;
        this.kind = kind;
    }

    /**
     * @param mutant the mistake; null: none
     * @throws IllegalArgumentException if there is none of this name
     */
    static Searched of(boolean reads, @Nullable String mutant) {
        if (mutant == null) {
            return new Searched(reads, List.of(), Bug.NONE, null, null);
        } else if (reads) {
            Mutant wrong = Mutants.named(mutant);
            return new Searched(
                    true, wrong.patches(), wrong.bug(), mutant, wrong.kind().word());
        }
        CatenaeMutant wrong = CatenaeMutants.named(mutant);
        return new Searched(
                false, wrong.patches(), Bug.NONE, mutant, wrong.kind().word());
    }

    ProbedCore subject() {
        return core(patches, bug, Set.of());
    }

    private ProbedCore core(List<Patch> mistakes, Bug around, Set<Long> common) {
        return reads ? new ProbedReads(mistakes, around, common) : new ProbedCatenae(mistakes, common);
    }

    /**
     * Returns the exit code.
     *
     * @param wanted kind of plans to which the search keeps; null: that of the mistake, or all
     */
    int search(
            SearchOptions options,
            @Nullable String wanted,
            int threads,
            @Nullable Path json,
            PrintWriter out,
            PrintWriter err)
            throws InterruptedException {
        int drawn = (int) Math.min(PLANS_FOR_COMMON_BLOCKS, options.plans() / TIMES);
        String searched = wanted == null ? kind : wanted;
        ProbedCore core = core(List.of(), Bug.NONE, Set.of());
        Set<Long> common = CommonBlocks.of(core, Search.familiesOf(core, searched), drawn);
        String model = reads ? "reads" : "catenae";
        return new SearchShow(model, known -> core(patches, bug, known), options, replayedWith, json, out, err)
                .run(searched, common, threads);
    }
}
