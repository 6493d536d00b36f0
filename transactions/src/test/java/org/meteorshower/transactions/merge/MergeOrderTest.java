/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.merge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.port.Checkpoint;

class MergeOrderTest {
    private final Map<String, Entry> decided = new HashMap<>();
    private final MergeOrder order =
            new MergeOrder(Checkpoint.first(3), (lane, position) -> decided.get(lane + "/" + position));

    private void decide(int lane, long position, long epoch) {
        decided.put(lane + "/" + position, new Entry(epoch, 1, List.of()));
    }

    /** All that can be merged, as lane/position. */
    private List<String> merge() {
        List<String> merged = new ArrayList<>();
        for (Merged next = order.next(); next != null; next = order.next()) {
            merged.add(next.lane() + "/" + next.position());
        }
        return merged;
    }

    @Test
    void entriesComeByEpochAndThenByLane() {
        decide(0, 0, 2);
        decide(1, 0, 1);
        decide(2, 0, 2);
        decide(1, 1, 2);

        assertThat(merge()).containsExactly("1/0", "0/0", "1/1", "2/0");
    }

    @Test
    void aLaneThatMayStillBringASmallerEntryIsWaitedFor() {
        decide(0, 0, 5);
        decide(1, 0, 5);

        assertThat(merge()).isEmpty();
        decide(2, 0, 3);
        // Lane 2 may still bring epoch 4.
        assertThat(merge()).containsExactly("2/0");
        decide(2, 1, 9);
        assertThat(merge()).containsExactly("0/0", "1/0");
    }

    @Test
    void aDecidedEntryClosesAllEpochsUpToItsOwn() {
        decide(0, 0, 100);
        decide(1, 0, 100);
        decide(2, 0, 100);

        assertThat(merge()).containsExactly("0/0", "1/0", "2/0");
    }

    @Test
    void aFilledHoleTakesTheNextEpochOfItsLane() {
        decide(0, 0, 7);
        decide(1, 0, 8);
        decide(2, 0, 8);
        decided.put("0/1", Entry.FILLER);
        decide(0, 2, 9);

        assertThat(merge()).containsExactly("0/0", "0/1", "1/0", "2/0", "0/2");
        assertThat(order.epochs()).containsExactly(9L, 8L, 8L);
    }

    @Test
    void whatComesIsTheSameWhateverBecomesKnownFirst() {
        decide(2, 0, 4);
        decide(2, 1, 6);
        assertThat(merge()).isEmpty();
        decide(0, 0, 6);
        decide(1, 0, 5);
        decide(1, 1, 7);

        assertThat(merge()).containsExactly("2/0", "1/0", "0/0", "2/1");
        // Lane 0 may still bring epoch 7, and comes before lane 1.
        decide(0, 1, 7);
        assertThat(merge()).containsExactly("0/1", "1/1");
    }
}
