/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.meteorshower.checker.Operation.Status;

/** The order that the checker gives away is one that anybody can look through. */
class SequentialOrderTest {
    @Test
    void eachConsistentHistoryHasAnOrderThatExplainsIt() {
        int explained = 0;
        for (int seed = 0; seed < 4_000; seed++) {
            History history = RandomHistory.history(RandomHistory.of(seed));
            List<Integer> order = SequentialChecker.order(history, CheckLimits.DEFAULT);
            if (SequentialChecker.check(history).outcome() == Outcome.CONSISTENT) {
                assertThat(explains(history, order))
                        .as("seed %d: %s", seed, order)
                        .isTrue();
                explained++;
            } else {
                assertThat(order).as("seed %d", seed).isEmpty();
            }
        }
        assertThat(explained).isGreaterThan(1_000);
    }

    private static boolean explains(History history, List<Integer> order) {
        Map<String, String> store = new HashMap<>();
        BitSet come = new BitSet();
        for (int index : order) {
            Operation operation = history.get(index);
            if (operation.type() == Operation.Type.WRITE) {
                store.put(operation.key(), operation.value());
            } else if (!Objects.equals(store.get(operation.key()), operation.value())) {
                return false;
            }
            if (!certainBefore(history, index).allMatch(come::get)) {
                return false;
            }
            come.set(index);
        }
        return IntStream.range(0, history.size())
                .allMatch(index -> come.get(index) || history.get(index).status() != Status.OK);
    }

    /** What certainly happened of the session before the operation. */
    private static IntStream certainBefore(History history, int index) {
        String session = history.get(index).session();
        return IntStream.range(0, index)
                .filter(before -> history.get(before).session().equals(session)
                        && history.get(before).status() == Status.OK);
    }
}
