/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

/** Runs seeds of a mutant until a verifier finds it. One thread hunts; any may ask how far it is. */
final class MutantHunt {
    /** Within so many seeds each mutant must be found. */
    static final int MOST_SEEDS = 2_000;

    /**
     * @param seeds that were run, the last one being the one that showed it
     * @param operations of those seeds
     * @param foundBy the verifiers that found it, joined by "+"; empty where none did
     * @param command that replays the run that showed it; empty where none did
     * @param complaint what they said; where none found it, why it could not be run, or empty
     */
    record Finding(Mutant mutant, int seeds, long operations, String foundBy, String command, String complaint) {
        boolean isCaught() {
            return !foundBy.isEmpty();
        }

        /** "NOBODY" where it ran and nobody found it. */
        String who() {
            return isCaught() ? foundBy : complaint.isEmpty() ? "NOBODY" : "NOT RUN: " + complaint;
        }
    }

    private final Mutant mutant;
    private final String verifier;
    private volatile int seed;

    MutantHunt(Mutant mutant) {
        this(mutant, "");
    }

    /** @param verifier what only others find does not end the hunt; empty: all count */
    MutantHunt(Mutant mutant, String verifier) {
        this.mutant = mutant;
        this.verifier = verifier;
    }

    Finding hunt(int mostSeeds) {
        long operations = 0;
        try {
            Runs runs = mutant.runs();
            for (int next = 0; next < mostSeeds; next++) {
                seed = next;
                RunOutcome outcome = runs.run(mutant.kind(), next, null);
                operations += outcome.operations();
                if (outcome.isBad() && outcome.foundBy().contains(verifier)) {
                    return new Finding(
                            mutant,
                            next + 1,
                            operations,
                            outcome.foundBy(),
                            mutant.command(next),
                            String.valueOf(outcome.complaint()));
                }
            }
            return new Finding(mutant, mostSeeds, operations, "", "", "");
        } catch (IllegalStateException e) {
            return new Finding(mutant, seed, operations, "", "", String.valueOf(e.getMessage()));
        }
    }

    @Override
    public String toString() {
        return mutant.name() + " (seed " + seed + ")";
    }
}
