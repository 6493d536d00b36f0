/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meteorshower.simulator.Kind;

/** One seed, looked at closely. */
final class OneSeed {
    private static final int FOUND = 1;

    private final Kind kind;
    private final long seed;
    private final Runs runs;
    private final PrintWriter out;

    OneSeed(Kind kind, long seed, Runs runs, PrintWriter out) {
        this.kind = kind;
        this.seed = seed;
        this.runs = runs;
        this.out = out;
    }

    /**
     * Returns the exit code.
     *
     * @param history gets what clients saw; null: nobody wants it
     */
    int run(boolean trace, @Nullable Path history) {
        RunOutcome outcome = runs.run(kind, seed, trace ? out::println : null);
        outcome.writeSeen(history);
        out.println("seed " + seed + ", a plan of kind " + kind.word() + ": " + outcome.summary());
        String complaint = outcome.complaint();
        if (complaint == null) {
            out.println("no verifier found anything wrong" + (outcome.isUndecided() ? "; the checker gave up" : ""));
            return 0;
        }
        out.println("found by " + outcome.foundBy() + ":");
        out.println(complaint);
        return FOUND;
    }

    /** Runs the seed twice and compares every line of the two transcripts. Returns the exit code. */
    int compare() {
        Hashes first = new Hashes();
        Hashes second = new Hashes();
        runs.run(kind, seed, first);
        runs.run(kind, seed, second);
        int parting = first.partsFrom(second);
        if (parting < 0) {
            out.println("seed " + seed + " of kind " + kind.word() + " ran twice: the same " + first.count
                    + " lines of transcript, hash " + Integer.toHexString(first.all()));
            return 0;
        }
        out.println("seed " + seed + " of kind " + kind.word() + " ran twice, and the runs part at line " + parting
                + " of the transcript; compare two outputs of --seed " + seed + " --trace");
        return FOUND;
    }

    /** A number for each line. */
    private static final class Hashes implements Consumer<String> {
        private int[] ofLine = new int[4_096];
        private int count;

        @Override
        public void accept(String line) {
            if (count == ofLine.length) {
                ofLine = Arrays.copyOf(ofLine, 2 * count);
            }
            ofLine[count++] = line.hashCode();
        }

        int all() {
            return Arrays.hashCode(Arrays.copyOf(ofLine, count));
        }

        /** The first line, counted from 1, that differs; -1 where none does. */
        int partsFrom(Hashes other) {
            int at = Arrays.mismatch(ofLine, 0, count, other.ofLine, 0, other.count);
            return at < 0 ? -1 : at + 1;
        }
    }
}
