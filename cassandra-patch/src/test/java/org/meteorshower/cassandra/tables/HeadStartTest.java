/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.cassandra.schema.TableId;
import org.junit.jupiter.api.Test;

class HeadStartTest {
    private static final TableId TABLE = TableId.generate();

    private long clock = 1_700_000_000_000L;
    private long elapsed = 50;
    private final HeadStart headStart = new HeadStart(() -> clock, () -> elapsed);

    private void pass(long millis) {
        clock += millis;
        elapsed += millis;
    }

    private boolean isOver(long begun) {
        return headStart.isOver(TABLE, new TableEpoch(begun, true, "ring"));
    }

    @Test
    void whoHearsEarlyAndWhoHearsLateGoOverAtOneTime() {
        long begun = clock;
        assertThat(isOver(begun)).isFalse();
        pass(HeadStart.MILLIS - 1);
        assertThat(isOver(begun)).isFalse();
        assertThat(new HeadStart(() -> clock, () -> 0).isOver(TABLE, new TableEpoch(begun, true, "ring")))
                .isFalse();
        pass(1);
        assertThat(isOver(begun)).isTrue();
        assertThat(new HeadStart(() -> clock, () -> 0).isOver(TABLE, new TableEpoch(begun, true, "ring")))
                .isTrue();
    }

    @Test
    void aClockThatIsBehindByHoursWaitsNoLonger() {
        long begun = clock + 7_200_000;
        assertThat(isOver(begun)).isFalse();
        pass(HeadStart.MILLIS);
        assertThat(isOver(begun)).isTrue();
    }

    @Test
    void aClockThatIsAheadDoesNotWait() {
        assertThat(isOver(clock - 7_200_000)).isTrue();
    }

    @Test
    void theNextEpochHasAHeadStartOfItsOwn() {
        long begun = clock + 7_200_000;
        isOver(begun);
        pass(HeadStart.MILLIS);
        assertThat(isOver(begun + 1)).isFalse();
        assertThat(isOver(begun + 1)).isFalse();
        pass(HeadStart.MILLIS);
        assertThat(isOver(begun + 1)).isTrue();
    }

    /** Else it would look for it forty times a second. */
    @Test
    void whoCannotGoOverIsNotAboutToForEver() {
        long begun = clock;
        assertThat(headStart.isAnyNew()).isFalse();
        isOver(begun);
        pass(HeadStart.MILLIS + 500);
        assertThat(isOver(begun)).isTrue();
        assertThat(headStart.isAnyNew()).isTrue();
        pass(500);
        assertThat(headStart.isAnyNew()).isFalse();
        assertThat(isOver(begun)).isTrue();
    }

    @Test
    void whatIsNoLongerEnabledIsForgotten() {
        long begun = clock + 7_200_000;
        isOver(begun);
        pass(HeadStart.MILLIS);
        headStart.keepOnly(table -> false);
        assertThat(isOver(begun)).isFalse();
    }
}
