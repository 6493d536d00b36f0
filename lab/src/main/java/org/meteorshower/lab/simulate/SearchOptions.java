/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import static org.meteorshower.lab.arguments.Arguments.require;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.search.Search;
import picocli.CommandLine.Option;

/** {@code meteor simulate --search} and {@code --plan}: plans that nobody drew. */
final class SearchOptions {
    private static final long MEBIBYTE = 1 << 20;
    private static final long NANOS_PER_MINUTE = 60_000_000_000L;

    @Option(
            names = "--search",
            description = "change plans, keep those that make the core do what it has not done yet, and change these")
    private boolean search;

    @Option(names = "--minutes", paramLabel = "M", description = "with --search: for so long (default: 10)")
    private @Nullable Integer minutes;

    @Option(
            names = "--plans",
            paramLabel = "N",
            description = "with --search: so many plans; with --threads 1 the same each time")
    private @Nullable Integer plans;

    @Option(
            names = "--corpus",
            paramLabel = "DIR",
            description = "with --search: keep what was found there, and go on from it the next time")
    private @Nullable Path corpus;

    @Option(names = "--corpus-mb", paramLabel = "MB", description = "what plans there may take (default: 32)")
    private @Nullable Integer corpusMb;

    @Option(names = "--search-seed", paramLabel = "N", description = "with --search: what is tried first (default: 1)")
    private @Nullable Long searchSeed;

    @Option(names = "--only-drawn", description = "with --search: draw plans and do not change them, to compare")
    private boolean onlyDrawn;

    @Option(names = "--plan", paramLabel = "FILE", description = "run the plan that a search has written")
    private @Nullable Path plan;

    boolean isSearch() {
        return search;
    }

    /** Null where no plan is to be run. */
    @Nullable
    Path plan() {
        return plan;
    }

    /** Throws {@link IllegalArgumentException} where options contradict each other. */
    void requireSense() {
        require(!search || plan == null, "--search finds plans, and --plan runs one: choose one");
        require(
                search
                        || (minutes == null
                                && plans == null
                                && corpus == null
                                && corpusMb == null
                                && searchSeed == null
                                && !onlyDrawn),
                "--minutes, --plans, --corpus, --corpus-mb, --search-seed and --only-drawn say how to search: give them"
                        + " with --search");
        require(minutes == null || minutes > 0, "--minutes: " + minutes + " is not above 0");
        require(plans == null || plans > 0, "--plans: " + plans + " is not above 0");
        require(
                corpusMb == null || (corpusMb > 0 && corpusMb <= 4_096),
                "--corpus-mb: " + corpusMb + " is not between 1 and 4096");
    }

    /**
     * Makes the folder of the corpus where there is none.
     *
     * @param kind of plans to which the search keeps; null: all
     */
    Search.Options options(@Nullable String kind) {
        return new Search.Options(
                searchSeed == null ? 1 : searchSeed,
                kind,
                onlyDrawn,
                folder(),
                MEBIBYTE * (corpusMb == null ? 32 : corpusMb));
    }

    /** Where plans are kept; null: nowhere. */
    @Nullable
    Path folder() {
        if (corpus == null) {
            return null;
        }
        try {
            return Files.createDirectories(corpus.toAbsolutePath());
        } catch (IOException e) {
            throw new IllegalArgumentException("--corpus: cannot make the folder " + corpus + ": " + e.getMessage(), e);
        }
    }

    /** {@link Long#MAX_VALUE} where the number of plans alone ends the search. */
    long nanos() {
        return minutes == null && plans != null ? Long.MAX_VALUE : NANOS_PER_MINUTE * (minutes == null ? 10 : minutes);
    }

    long plans() {
        return plans == null ? Long.MAX_VALUE : plans;
    }
}
