/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.TakingPart.Answer;
import org.meteorshower.protocol.TakingPart.Stage;
import org.meteorshower.protocol.TakingPart.Word;

/** What follows from answers; that it is right is shown by {@link TakingPartWorldsTest}. */
class TakingPartTest {
    private static final long CLOSED_MICROS = 1_000;

    private static Answer answer(Word word, long newestMicros) {
        return new Answer(word, newestMicros, "");
    }

    @Test
    void timestampsBeginBehindTheClosingAndAllThatWasWritten() {
        assertThat(TakingPart.baseMicros(CLOSED_MICROS, List.of(answer(Word.NOTHING, 0), answer(Word.ALIKE, 900))))
                .isEqualTo(CLOSED_MICROS);
        assertThat(TakingPart.baseMicros(CLOSED_MICROS, List.of(answer(Word.ALIKE, 7_000), answer(Word.ALIKE, 900))))
                .isEqualTo(7_001);
    }

    /** Such as nanoseconds since 1970, or the largest number. */
    @Test
    void whatIsNoTimeInMicrosecondsMovesThemNoFurther() {
        assertThat(TakingPart.baseMicros(CLOSED_MICROS, List.of(answer(Word.ALIKE, Long.MAX_VALUE))))
                .isEqualTo(TakingPart.LATEST_MICROS + 1)
                .isLessThan(999_999_999_999_999_999L);
    }

    @Test
    void aTableThatSomeNodeHoldsDataOfComesTogetherFirst() {
        assertThat(TakingPart.next(null, List.of(answer(Word.NOTHING, 0), answer(Word.NOTHING, 0))))
                .isEqualTo(Stage.CLOSED);
        assertThat(TakingPart.next(null, List.of(answer(Word.NOTHING, 0), answer(Word.APART, 0))))
                .isEqualTo(Stage.COMING_TOGETHER);
        assertThat(TakingPart.next(null, List.of(answer(Word.ALIKE, 0), answer(Word.NOT_YET, 0))))
                .isEqualTo(Stage.COMING_TOGETHER);
        assertThat(TakingPart.next(Stage.COMING_TOGETHER, List.of(answer(Word.ALIKE, 0), answer(Word.NOT_YET, 0))))
                .isNull();
    }

    @Test
    void whatIsFoundInATableThatSeemedEmptySendsItBack() {
        assertThat(TakingPart.next(Stage.CLOSED, List.of(answer(Word.NOTHING, 0), answer(Word.APART, 0))))
                .isEqualTo(Stage.COMING_TOGETHER);
    }
}
