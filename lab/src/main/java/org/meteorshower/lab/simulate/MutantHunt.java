/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

/** Runs seeds of a mutant until a verifier finds it. */
final class MutantHunt {
    /** Within so many seeds each mutant must be found. */
    static final int MOST_SEEDS = 2_000;

    /**
     * @param seeds that were run, the last one being the one that showed it
     * @param operations of those seeds
     * @param foundBy the verifiers that found it, joined by "+"; empty where none did
     * @param command that replays the run that showed it; empty where none did
     */
    record Finding(Mutant mutant, int seeds, long operations, String foundBy, String command, String complaint) {
        boolean isCaught() {
            return !foundBy.isEmpty();
        }
    }

    private MutantHunt() {}

    static Finding hunt(Mutant mutant, int mostSeeds) {
        Runs runs = mutant.runs();
        long operations = 0;
        for (int seed = 0; seed < mostSeeds; seed++) {
            RunOutcome outcome = runs.run(mutant.kind(), seed, null);
            operations += outcome.operations();
            if (outcome.isBad()) {
                String command = "./meteor simulate --seed " + seed + " --kind "
                        + mutant.kind().word() + " --mutant " + mutant.name();
                String complaint = String.valueOf(outcome.complaint());
                return new Finding(mutant, seed + 1, operations, outcome.foundBy(), command, complaint);
            }
        }
        return new Finding(mutant, mostSeeds, operations, "", "", "");
    }
}
