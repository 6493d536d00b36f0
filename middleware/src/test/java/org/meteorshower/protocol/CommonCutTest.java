/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class CommonCutTest {
    /** Nodes that can answer at these cuts, and keep all of them. */
    private static CommonCut<Integer> searched(List<NavigableSet<Long>> nodes) {
        Map<Integer, Long> own = new LinkedHashMap<>();
        for (int i = 0; i < nodes.size(); i++) {
            own.put(i, nodes.get(i).last());
        }
        CommonCut<Integer> common = new CommonCut<>(own);
        for (var ask = common.toAsk(); !ask.isEmpty(); ask = common.toAsk()) {
            long most = common.mostMicros();
            for (int node : ask) {
                Long newest = nodes.get(node).floor(most);
                common.answered(node, newest == null ? Long.MIN_VALUE : newest);
            }
        }
        return common;
    }

    private static NavigableSet<Long> cuts(long... micros) {
        NavigableSet<Long> cuts = new TreeSet<>();
        for (long each : micros) {
            cuts.add(each);
        }
        return cuts;
    }

    @Test
    void whoAgreesAlreadyIsNotAsked() {
        CommonCut<Integer> common = new CommonCut<>(Map.of(1, 30L, 2, 30L));

        assertThat(common.toAsk()).isEmpty();
        assertThat(common.found()).hasValue(30);
    }

    @Test
    void theOldestIsProposedAndEachGoesDownFromThere() {
        assertThat(searched(List.of(cuts(10, 30, 50), cuts(10, 20, 40), cuts(10, 50)))
                        .found())
                .hasValue(10);
        assertThat(searched(List.of(cuts(10, 40, 50), cuts(10, 40), cuts(40, 60)))
                        .found())
                .hasValue(40);
    }

    @Test
    void whereOneCanAnswerAtNoneNothingIsFound() {
        CommonCut<Integer> common = searched(List.of(cuts(10, 30), cuts(20)));

        assertThat(common.found()).isEmpty();
        assertThat(common.newestOfAll()).isEqualTo(30);
    }

    @Test
    void whatIsFoundIsTheNewestThatAllHave() {
        SplittableRandom random = new SplittableRandom(7);
        int times = 0;
        for (int run = 0; run < 2_000; run++) {
            NavigableSet<Long> common = new TreeSet<>();
            for (long cut = 0; cut < 12; cut++) {
                common.add(cut);
            }
            List<NavigableSet<Long>> nodes = new ArrayList<>();
            for (int node = 0; node < 2 + random.nextInt(3); node++) {
                NavigableSet<Long> some = cuts(random.nextLong(12));
                for (long cut = 0; cut < 12; cut++) {
                    if (random.nextInt(3) > 0) {
                        some.add(cut);
                    }
                }
                nodes.add(some);
                common.retainAll(some);
            }
            OptionalLong found = searched(nodes).found();
            if (found.isPresent()) {
                assertThat(found.getAsLong()).isEqualTo(common.last());
                times++;
            }
        }
        assertThat(times).isGreaterThan(1_500);
    }
}
