/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.cassandra.service.pager.PagingState;
import org.apache.cassandra.transport.ProtocolVersion;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.Test;

/** The cut of a page goes along with the state of the next one. */
class PageCutTest {
    private static final long NOW_MILLIS = 1_795_241_393_826L;

    private static PagingState state(int leftInPartition) {
        return new PagingState(ByteBufferUtil.bytes("k"), null, 77, leftInPartition);
    }

    private static long carried(long cutMicros) {
        PagingState stamped = PageCut.stamped(state(Integer.MAX_VALUE), cutMicros);
        PagingState read = PagingState.deserialize(stamped.serialize(ProtocolVersion.V5), ProtocolVersion.V5);
        assertThat(read.remaining).isEqualTo(77);
        return PageCut.microsOf(read, NOW_MILLIS);
    }

    @Test
    void itIsReadBackToTheNextMillisecond() {
        for (long awayMillis : new long[] {0, -1, 1, -250, -3_600_000, 3_600_000, -400_000_000L, 400_000_000L}) {
            long cutMicros = 1_000 * (NOW_MILLIS + awayMillis);
            assertThat(carried(cutMicros)).isEqualTo(cutMicros);
            assertThat(carried(cutMicros + 1)).isEqualTo(cutMicros + 1_000);
        }
    }

    @Test
    void noMomentReadsAsNone() {
        long millis = NOW_MILLIS | ((1 << 30) - 1);
        PagingState stamped = PageCut.stamped(state(Integer.MAX_VALUE), 1_000 * millis);
        assertThat(PageCut.microsOf(stamped, millis)).isEqualTo(1_000 * (millis + 1));
    }

    @Test
    void whereThereIsNoneThereIsNone() {
        assertThat(PageCut.microsOf(null, NOW_MILLIS)).isZero();
        assertThat(PageCut.microsOf(state(Integer.MAX_VALUE), NOW_MILLIS)).isZero();
        assertThat(PageCut.microsOf(state(5), NOW_MILLIS))
                .as("of PER PARTITION LIMIT")
                .isZero();
    }

    @Test
    void cassandrasPagersGetTheirsBack() {
        PagingState state = state(Integer.MAX_VALUE);
        assertThat(PageCut.without(PageCut.stamped(state, 1_000 * NOW_MILLIS))).isEqualTo(state);
        assertThat(PageCut.without(null)).isNull();
        assertThat(PageCut.stamped(state, 1_000 * NOW_MILLIS).remainingInPartition)
                .as("no partition has so many rows")
                .isGreaterThanOrEqualTo(1 << 30);
    }
}
