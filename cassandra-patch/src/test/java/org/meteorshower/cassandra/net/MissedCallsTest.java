/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.BitSet;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.Placement;

class MissedCallsTest {
    @Test
    void whatWasMissedComesThroughAndSoDoesThatItIsNotKnown() {
        BitSet missed = new BitSet();
        missed.set(0);
        missed.set(Placement.BUCKETS - 1);
        assertThat(MissedCalls.decode(MissedCalls.encode(missed))).isEqualTo(missed);
        assertThat(MissedCalls.decode(MissedCalls.encode(new BitSet()))).isEqualTo(new BitSet());
        assertThat(MissedCalls.decode(MissedCalls.encode(null))).isNull();
    }

    @Test
    void itIsToldFromOtherCalls() {
        assertThat(MissedCalls.isOne(MissedCalls.request(new UUID(1, 2)))).isTrue();
        assertThat(MissedCalls.isOne(new byte[0])).isFalse();
        assertThat(MissedCalls.isOne(new byte[] {1, 2, 3})).isFalse();
    }

    @Test
    void damagedAnswersAreRefused() {
        SplittableRandom random = new SplittableRandom(11);
        BitSet missed = new BitSet();
        missed.set(100, 200);
        byte[] whole = MissedCalls.encode(missed);
        for (int i = 0; i < 2_000; i++) {
            byte[] damaged = whole.clone();
            int at = random.nextInt(whole.length);
            damaged[at] ^= (byte) (1 + random.nextInt(255));
            assertThatThrownBy(() -> MissedCalls.decode(damaged)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> MissedCalls.decode(new byte[0])).isInstanceOf(IllegalArgumentException.class);
    }
}
