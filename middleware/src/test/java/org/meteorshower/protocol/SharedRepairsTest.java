/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.SharedRepairs.Answer;
import org.meteorshower.protocol.SharedRepairs.Patience;
import org.meteorshower.protocol.SharedRepairs.Question;
import org.meteorshower.protocol.SharedRepairs.Step;
import org.meteorshower.protocol.SharedRepairs.Word;

/** Who repairs what, and whose word counts. */
class SharedRepairsTest {
    private static final NodeId EU = NodeId.of(1);
    private static final NodeId US = NodeId.of(2);
    private static final NodeId ASIA = NodeId.of(3);
    private static final long GATHER = 5_000;
    private static final long SILENT = 60_000;
    private static final long STUCK = 600_000;
    private static final long RANGES = 77;

    /** At eu, which owns a third, as us and asia do. */
    private final SharedRepairs eu =
            new SharedRepairs(1, RANGES, List.of(US, ASIA), List.of(US, ASIA), new Patience(GATHER, SILENT, STUCK), 0);

    private Word asks(NodeId node, long attempt) {
        return eu.asked(node, new Question(attempt, RANGES)).word();
    }

    private Step next(long nowMillis) {
        return eu.next(node -> true, nowMillis);
    }

    private void repairOwn() {
        eu.ownBegins();
        eu.ownEnded(true);
    }

    private void hears(NodeId owner, Word word, long nowMillis) {
        eu.answered(owner, new Answer(word, 0, 0), nowMillis);
    }

    // --- whom this node's repair counts for ------------------------------------------------------------------------

    @Test
    void aRepairCountsForThoseWhoHadAskedBeforeItBegan() {
        assertThat(asks(US, 5)).isEqualTo(Word.NOT_YET);
        eu.ownBegins();
        assertThat(asks(US, 5)).isEqualTo(Word.NOT_YET);
        eu.ownEnded(true);
        assertThat(asks(US, 5)).isEqualTo(Word.DONE);
    }

    @Test
    void aRepairDoesNotCountForWhoAsksLater() {
        eu.ownBegins();
        assertThat(asks(US, 5)).isEqualTo(Word.NO);
        eu.ownEnded(true);
        assertThat(asks(US, 5)).isEqualTo(Word.NO);
        assertThat(asks(ASIA, 6)).isEqualTo(Word.NO);
    }

    @Test
    void aQuestionOfAnEarlierLifeDoesNotCount() {
        asks(US, 5);
        eu.ownBegins();
        assertThat(asks(US, 6)).isEqualTo(Word.NO);
        eu.ownEnded(true);
        assertThat(asks(US, 6)).isEqualTo(Word.NO);
        assertThat(asks(US, 5)).as("which the earlier life could have heard").isEqualTo(Word.DONE);
    }

    @Test
    void theNewestQuestionBeforeItBeginsCounts() {
        asks(US, 5);
        asks(US, 6);
        repairOwn();
        assertThat(asks(US, 6)).isEqualTo(Word.DONE);
        assertThat(asks(US, 5)).isEqualTo(Word.NO);
    }

    @Test
    void itDoesNotCountForWhoDividesTheRingOtherwiseOrHoldsNothingOfIt() {
        assertThat(eu.asked(US, new Question(5, RANGES + 1)).word()).isEqualTo(Word.NO);
        assertThat(asks(NodeId.of(4), 5)).isEqualTo(Word.NO);
        assertThat(asks(EU, 5)).isEqualTo(Word.NO);
    }

    @Test
    void itWaitsForTheOthersQuestionsButNotForLong() {
        assertThat(next(GATHER - 1)).isEqualTo(Step.WAIT);
        assertThat(next(GATHER)).isEqualTo(Step.OWN);
    }

    @Test
    void itBeginsWhenAllWhoAreUpHaveAsked() {
        asks(US, 5);
        assertThat(next(10)).isEqualTo(Step.WAIT);
        assertThat(eu.next(node -> !node.equals(ASIA), 10)).isEqualTo(Step.OWN);
        asks(ASIA, 6);
        assertThat(next(10)).isEqualTo(Step.OWN);
    }

    @Test
    void afterAFailureItIncludesWhoHasAskedMeanwhileAndThenBeginsAnew() {
        asks(US, 5);
        assertThat(eu.ownBegins()).isTrue();
        assertThat(asks(ASIA, 6)).isEqualTo(Word.NO);
        eu.ownEnded(false);
        assertThat(eu.ownBegins()).as("goes on where it was").isFalse();
        eu.ownEnded(false);
        assertThat(asks(ASIA, 7)).isEqualTo(Word.NOT_YET);
        assertThat(eu.ownBegins()).isTrue();
        eu.ownEnded(true);
        assertThat(asks(US, 5)).isEqualTo(Word.DONE);
        assertThat(asks(ASIA, 7)).isEqualTo(Word.DONE);
    }

    // --- whose repair counts for this node -------------------------------------------------------------------------

    @Test
    void itIsDoneWhenItsOwnRangesAreAndAllOwnersHaveSaidSo() {
        repairOwn();
        assertThat(eu.toAsk()).containsExactly(US, ASIA);
        hears(US, Word.DONE, 10);
        hears(ASIA, Word.NOT_YET, 10);
        assertThat(next(10)).isEqualTo(Step.WAIT);
        assertThat(eu.toAsk()).containsExactly(ASIA);
        hears(ASIA, Word.DONE, 20);
        assertThat(next(20)).isEqualTo(Step.DONE);
    }

    @Test
    void whatAnOwnerRefusesIsRepairedHere() {
        repairOwn();
        hears(US, Word.DONE, 10);
        hears(ASIA, Word.NO, 10);
        assertThat(next(10)).isEqualTo(Step.OTHERS);
        assertThat(eu.othersBegin()).isEqualTo(Set.of(ASIA));
        assertThat(next(10)).isEqualTo(Step.WAIT);
        eu.othersEnded(false);
        assertThat(next(10)).isEqualTo(Step.OTHERS);
        eu.othersBegin();
        eu.othersEnded(true);
        assertThat(next(10)).isEqualTo(Step.DONE);
    }

    @Test
    void whatFailedIsTriedAgainAsItWas() {
        repairOwn();
        hears(ASIA, Word.NO, 10);
        eu.othersBegin();
        hears(US, Word.NO, 20);
        eu.othersEnded(false);
        assertThat(eu.othersBegin()).isEqualTo(Set.of(ASIA));
        eu.othersEnded(true);
        assertThat(next(20)).isEqualTo(Step.OTHERS);
        assertThat(eu.othersBegin()).isEqualTo(Set.of(US));
    }

    @Test
    void anOwnerWhoCannotBeAskedIsWaitedForAMinute() {
        repairOwn();
        hears(US, Word.DONE, 10);
        hears(ASIA, Word.NOT_YET, 1_000);
        eu.unanswered(ASIA, 1_000 + SILENT - 1);
        assertThat(next(SILENT)).isEqualTo(Step.WAIT);
        eu.unanswered(ASIA, 1_000 + SILENT);
        assertThat(next(SILENT)).isEqualTo(Step.OTHERS);
    }

    @Test
    void anOwnerWhoGetsNoFurtherIsWaitedForTenMinutes() {
        repairOwn();
        hears(US, Word.DONE, 10);
        hears(ASIA, Word.NOT_YET, STUCK - 1);
        eu.answered(ASIA, new Answer(Word.NOT_YET, 1, 9), STUCK - 1);
        eu.answered(ASIA, new Answer(Word.NOT_YET, 1, 9), 2 * STUCK - 2);
        assertThat(next(2 * STUCK)).isEqualTo(Step.WAIT);
        eu.answered(ASIA, new Answer(Word.NOT_YET, 1, 9), 2 * STUCK - 1);
        assertThat(next(2 * STUCK)).isEqualTo(Step.OTHERS);
    }

    @Test
    void whoWasGivenUpIsNotWaitedForAgain() {
        hears(US, Word.NO, 10);
        hears(US, Word.DONE, 20);
        assertThat(eu.toAsk()).containsExactly(ASIA);
        repairOwn();
        assertThat(next(20)).isEqualTo(Step.OTHERS);
    }

    @Test
    void whoOwnsNothingHasNothingToBeginWith() {
        SharedRepairs none = new SharedRepairs(1, null, List.of(), List.of(US), new Patience(GATHER, SILENT, STUCK), 0);
        assertThat(none.next(node -> true, 0)).isEqualTo(Step.WAIT);
        none.answered(US, new Answer(Word.DONE, 0, 0), 0);
        assertThat(none.next(node -> true, 0)).isEqualTo(Step.DONE);
        assertThat(none.asked(US, new Question(5, 0)).word()).isEqualTo(Word.NO);
    }

    @Test
    void whoSharesWithNobodyRepairsAtOnce() {
        SharedRepairs alone =
                new SharedRepairs(1, RANGES, List.of(), List.of(), new Patience(GATHER, SILENT, STUCK), 0);
        assertThat(alone.next(node -> true, 0)).isEqualTo(Step.OWN);
        alone.ownBegins();
        alone.ownEnded(true);
        assertThat(alone.next(node -> true, 0)).isEqualTo(Step.DONE);
    }

    @Test
    void itTellsHowFarTheWholeIs() {
        eu.ownBegins();
        eu.ownIsAt(1, 4);
        assertThat(eu.asked(US, new Question(5, RANGES))).isEqualTo(Answer.NO);
        assertThat(eu.done()).isEqualTo(1);
        assertThat(eu.all())
                .as("each other owner has as much, as far as is known")
                .isEqualTo(12);
        eu.answered(US, new Answer(Word.NOT_YET, 2, 6), 10);
        eu.answered(ASIA, new Answer(Word.DONE, 5, 5), 10);
        assertThat(eu.done()).isEqualTo(1 + 2 + 5);
        assertThat(eu.all()).isEqualTo(4 + 6 + 5);
        eu.ownEnded(true);
        assertThat(eu.done()).isEqualTo(4 + 2 + 5);
    }
}
