/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.meteorshower.transactions.simulator.Kind;

/**
 * Mistakes in the core of the transactions are found. Each schedule here is a fixed one: kind and seed decide all of
 * it.
 */
class CatenaeMutantsTest {
    static List<CatenaeMutant> all() {
        return CatenaeMutants.all();
    }

    @ParameterizedTest
    @MethodSource("all")
    void everyPatchFindsWhatItChanges(CatenaeMutant mutant) throws ClassNotFoundException {
        PatchedClasses classes = new PatchedClasses(mutant.patches());
        for (Patch patch : mutant.patches()) {
            assertThat(classes.patched(patch.className())).isNotEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "acknowledged-before-persisted, 0",
        "fence-not-read, 0",
        "takeover-without-phase-1, 6",
        "ballot-reused, 8",
        "truncated-log-taken-for-holes, 0",
        "led-on-after-a-foreign-decision, 0",
        "blank-disk-votes, 4",
        "phase-1-without-back-off, 0",
        "quorum-not-complete, 3",
        "skip-over-accepted, 14",
        "promise-not-durable, 46",
        "successors-ballot-given-up, 417",
        "replied-before-smaller-decided, 0",
        "merged-by-arrival, 0",
        "strict-read-served-locally, 4",
        "token-ignored, 0",
        "no-deduplication, 0",
        "forwarded-more-than-once, 12",
        "given-back-although-proposed, 15",
        "given-back-although-it-stands, 6",
        "time-out-told-as-abort, 6",
        "given-back-as-not-proposed, 0",
        "writes-visible-before-the-assert, 0",
        "time-inside-a-transaction, 0",
        "one-version-for-two, 0",
        "range-without-partition, 0",
        "unwritten-rows-overlooked, 0",
        "pages-count, 1",
        "first-page-only, 0",
        "own-deletes-not-counted, 0",
        "written-key-not-known, 0",
        "computed-row-not-claimed, 0",
        "computed-row-taken-for-absent, 0",
        "looked-up-row-let-go, 0",
        "absent-row-taken-for-told, 1",
        "base-not-given, 239",
        "rows-from-the-future, 22",
        "newest-read-in-replay, 2",
        "version-0-missing, 7",
        "done-before-rows, 1",
        "pin-ignored, 5",
        "page-skipped, 3",
        "accepted-read-as-decided, 1",
        "spill-lost, 28",
        "budget-in-entries, 25",
        "release-forgotten, 0",
        "vote-without-room, 21",
        "row-release-forgotten, 0",
        "admission-not-counted, 171",
        "deleted-still-shown, 19",
        "absence-overlooked, 0",
        "renewed-ends-all-the-same, 0",
        "ends-by-any-clock, 6",
        "looked-at-before-it-is-written, 0",
        "noted-though-looked-at, 52",
        "scan-before-the-tables, 0",
        "scan-among-strays, 19",
        "large-rows-unforeseen, 8",
        "gap-untold, 1",
        "cut-before-the-stream, 5",
        "change-release-forgotten, 3",
        "sessions-told, 1",
        "gap-taken-for-empty, 0",
        "passed-on-before-turn, 0",
        "turn-before-all-told, 0",
        "kept-until-executed, 0",
        "let-go-untold, 7",
        "nobody-asks, 0",
        "behind-k-goes-on, 0",
        "newest-read-after-takeover, 1",
        "cut-taken-for-held, 0",
        "k-before-outcomes, 6",
        "any-life-believed, 7",
        "slice-credit-ignored, 1",
        "first-slice-needs-room, 5",
        "kept-for-ever, 1",
        "let-go-in-order, 2649",
        "waits-for-a-k-it-was-told, 0",
        "relies-on-a-note, 1",
        "not-looked-for-again, 0",
        "note-of-no-count, 10",
        "cut-overwritten, 3",
        "evicted-before-it-is-written, 0",
        "front-not-checked, 3",
        "trailing-bytes-read, 3",
        "packet-kept-until-full, 4",
        "servers-share-partitions, 0",
        "partition-passed-on-before-turn, 0",
        "answer-to-another-question, 0",
        "writes-beside-not-told, 0",
        "told-back-before-it-has-answered, 0",
        "goes-on-before-all-noted, 3",
        "fronts-proposed-at-once, 0"
    })
    @Execution(ExecutionMode.CONCURRENT) // a minute on one processor
    void aMistakeIsFoundByItsSchedule(String name, long seed) {
        CatenaeMutant mutant = CatenaeMutants.named(name);

        RunOutcome outcome = mutant.runs().run(mutant.kind(), seed, null);

        assertThat(outcome.foundBy()).as(mutant.command(seed)).isNotEmpty();
    }

    @Test
    void aCopyOfTheCoreWithoutAMistakeGivesTheSameRun() {
        RunOutcome patched = CatenaeRuns.of(List.of()).run(Kind.LOST_DISKS, 14, null);

        assertThat(patched).isEqualTo(CatenaeRuns.plain().run(Kind.LOST_DISKS, 14, null));
        assertThat(patched.isBad()).isFalse();
    }
}
