/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.lanes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PositionsTest {
    @Test
    void itHoldsWhatATreeWouldHold() {
        SplittableRandom random = new SplittableRandom(7);
        Positions<Long> positions = new Positions<>(3);
        TreeMap<Long, Long> tree = new TreeMap<>();
        long first = 3;
        for (int i = 0; i < 20_000; i++) {
            if (random.nextInt(10) == 0) {
                first += random.nextInt(60);
                positions.dropBelow(first);
                tree.headMap(first).clear();
            } else {
                long position = first + random.nextInt(random.nextInt(40) == 0 ? 1_000 : 100);
                positions.put(position, (long) i);
                tree.put(position, (long) i);
            }
            long asked = first - 50 + random.nextInt(300);
            assertThat(positions.get(asked)).isEqualTo(tree.get(asked));
        }
        List<Long> all = new ArrayList<>();
        positions.forEach(all::add);
        assertThat(all).containsExactlyElementsOf(tree.values());
        assertThat(positions.end()).isGreaterThanOrEqualTo(tree.isEmpty() ? first : tree.lastKey() + 1);
    }

    @Test
    void nothingIsPutWhereThingsWereDropped() {
        Positions<String> positions = new Positions<>(0);
        positions.dropBelow(5);

        assertThatThrownBy(() -> positions.put(4, "late")).isInstanceOf(IllegalArgumentException.class);
        assertThat(positions.get(4)).isNull();
        assertThat(positions.end()).isEqualTo(5);
    }
}
