/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A check that cannot fail is a defect: each mistake must be found, within so many seeds, by one of the verifiers. The
 * first seed is the one that finds it; the others are for changes that draw other plans.
 */
class SeededBugsTest {

    @ParameterizedTest(name = "{0} within {3} seeds of {1} from {2}")
    @CsvSource({
        "READ_WITHOUT_TOKEN, RANDOM, 1, 19",
        "WRITE_TOKEN_DROPPED, RANDOM, 1, 19",
        "TOKEN_NOT_AUTHENTICATED, RANDOM, 1, 19",
        "COORDINATOR_TOKEN_MISSING, RANDOM, 3, 17",
        "STAMPED_AFTER_APPLIED, RANDOM, 0, 20",
        "APPLIED_LOST_IN_CRASH, RESTARTS, 0, 20",
        "ACKNOWLEDGED_BEFORE_APPLIED, RANDOM, 1, 19",
        "JOURNAL_LOST, READERS_CUT_OFF, 0, 20",
        "CEILING_LOST, RESTARTS, 0, 20",
        "OVERLAY_IGNORED, RANDOM, 1, 19",
        "APPLIED_TOO_EARLY, RANDOM, 0, 20",
        "READ_UNCONFIRMED, RANDOM, 0, 20",
        "REPAIR_UNANNOUNCED, REPAIRS, 2, 198",
        "SETTLED_AS_NEW, RANDOM, 0, 20",
        "PROMISE_FORGED, RANDOM, 0, 20",
        "RETRIED_AS_ANOTHER_WRITE, RANDOM, 0, 20",
        "QUORUM_READ, RANDOM, 0, 20",
        "EPOCH_NAMED_BY_RING_ALONE, MOVES_IN_A_ROW, 0, 20",
        "ONE_NAME_FOR_ALL_EPOCHS, MOVES, 1, 19",
        "OLD_EPOCH_SERVED, MOVES, 1, 19",
        "BASELINE_WITHOUT_REPAIR, MOVES, 1, 99",
        "REPAIR_READ_UNTAKEN, MOVES, 22, 1",
        "OUSTED_STILL_TOLD, MOVES_OUSTING, 55, 1",
        "OUSTED_STILL_TOLD_OF_ANOTHER, MOVES_OUSTING, 55, 1",
        "SPILL_LOST, SIZE, 0, 10",
        "READ_FROM_THE_WRONG_PLACE, SIZE, 10, 15",
        "BEHIND_NOT_SAID, SIZE, 2, 8",
        "FILLED_WITH_NOTHING, SIZE, 2, 18"
    })
    void isFound(Bug bug, Kind kind, int first, int seeds) {
        for (int seed = first; seed < first + seeds; seed++) {
            CheckedRun run = CheckedRun.of(kind, seed, bug);
            if (run.complaint() != null) {
                System.out.println(bug + " found with seed " + seed + " of " + kind + " by " + run.foundBy());
                return;
            }
        }
        assertThat(seeds).as("no verifier found %s", bug).isZero();
    }

    /** One of thousands of seeds, and another one where nodes send at other moments: looked for in long runs alone. */
    @Test
    @EnabledIfSystemProperty(named = "long.tests", matches = "true")
    void aStrangersDataTakenForAReplicasIsFound() {
        isFound(Bug.STRANGERS_TRUSTED, Kind.MOVES_IN_A_ROW, 0, 20_000);
    }

    /** What a node that forgets what it stamped gets wrong: plans in which faults meet later changes of the ring. */
    @ParameterizedTest
    @CsvSource({"MOVES, 492", "MOVES_UNSETTLED, 55", "MOVES_UNSETTLED, 58", "MOVES_AND_RESTARTS, 18", "DISABLED, 65148"
    })
    void seedsThatWereWrongBeforeAreRight(Kind kind, int seed) {
        CheckedRun run = CheckedRun.of(kind, seed, Bug.NONE);
        assertThat(run.violation())
                .as("replay with kind %s and seed %d", kind, seed)
                .isNull();
        assertThat(run.foundBy()).isEmpty();
    }
}
