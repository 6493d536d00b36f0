/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MissedTest {
    private static final NodeId PEER = NodeId.of(1);
    private static final UUID TABLE = new UUID(0, 1);
    private static final UUID OTHER = new UUID(0, 2);

    private final Missed missed = new Missed();

    @Test
    void itIsKnownWhereSomethingWasRetiredWithoutThePeer() {
        missed.begin(PEER, Set.of(TABLE, OTHER));
        missed.add(PEER, TABLE, 7);
        missed.add(PEER, TABLE, 9);

        assertThat(missed.of(PEER, TABLE)).isEqualTo(bits(7, 9));
        assertThat(missed.of(PEER, OTHER)).isEqualTo(bits());
    }

    @Test
    void ofAPeerThatAnEarlierLifeLeftBehindItMayBeAnywhere() {
        missed.add(PEER, TABLE, 7);
        assertThat(missed.of(PEER, TABLE)).isNull();
    }

    @Test
    void ofATableThatGotAnotherNameMeanwhileItMayBeAnywhere() {
        missed.begin(PEER, Set.of(TABLE));
        missed.forget(TABLE);
        missed.add(PEER, TABLE, 7);
        missed.add(PEER, OTHER, 7);
        assertThat(missed.of(PEER, TABLE)).isNull();
        assertThat(missed.of(PEER, OTHER)).isNull();
    }

    @Test
    void whereBucketsAreNotKnownItMayBeAnywhere() {
        missed.begin(PEER, Set.of(TABLE));
        missed.add(PEER, TABLE, -1);
        missed.add(PEER, TABLE, 7);
        assertThat(missed.of(PEER, TABLE)).isNull();
    }

    @Test
    void oneThatIsLeftBehindOnceMoreBeforeItWasFilledStillLacksWhatItLacked() {
        missed.begin(PEER, Set.of(TABLE));
        missed.add(PEER, TABLE, 7);
        missed.begin(PEER, Set.of(TABLE));
        assertThat(missed.of(PEER, TABLE)).isEqualTo(bits(7));
        missed.end(PEER);
        assertThat(missed.of(PEER, TABLE)).isNull();
    }

    @Test
    void forTooManyTablesItIsNotKnown() {
        List<UUID> tables = IntStream.range(0, Missed.MOST + 10)
                .mapToObj(i -> new UUID(1, i))
                .toList();
        missed.begin(PEER, tables);
        long known =
                tables.stream().filter(table -> missed.of(PEER, table) != null).count();
        assertThat(known).isEqualTo(Missed.MOST);
    }

    private static BitSet bits(int... set) {
        BitSet bits = new BitSet();
        for (int each : set) {
            bits.set(each);
        }
        return bits;
    }
}
