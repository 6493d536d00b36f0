/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.ways;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HedgeBudgetTest {
    private final HedgeBudget budget = new HedgeBudget();

    @Test
    void oneReadInTwentyIsSentTwiceBesideTenThatWereSavedUp() {
        int sent = 0;
        for (int i = 0; i < 100_000; i++) {
            budget.earn();
            sent += budget.take() ? 1 : 0;
        }
        assertThat(sent).isBetween(5_000, 5_000 + HedgeBudget.MOST_SAVED);
    }

    @Test
    void noMoreThanTenAreSavedUp() {
        for (int i = 0; i < 100_000; i++) {
            budget.earn();
        }
        int sent = 0;
        while (budget.take()) {
            sent++;
        }
        assertThat(sent).isEqualTo(HedgeBudget.MOST_SAVED);
    }
}
