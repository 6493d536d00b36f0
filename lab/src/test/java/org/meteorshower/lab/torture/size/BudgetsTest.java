/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class BudgetsTest {
    private final Budgets budgets = new Budgets();

    private void saw(String node, String user, long used, long limit, long peak) {
        budgets.saw(node, new Budgets.Use(user, used, limit, peak, 0));
    }

    @Test
    void nodesWithoutTheTableTellNothing() {
        assertThat(budgets.isTold()).isFalse();
        assertThat(budgets.exceeded()).isZero();
    }

    @Test
    void aBudgetMayBeUsedUpButNotPassed() {
        saw("eu-1", "records", 100, 100, 100);

        assertThat(budgets.isTold()).isTrue();
        assertThat(budgets.exceeded()).isZero();
    }

    @Test
    void aUserOfMoreThanItsBudgetIsCountedOncePerNode() {
        saw("eu-1", "records", 101, 100, 101);
        saw("eu-1", "records", 102, 100, 102);
        saw("us-1", "records", 102, 100, 102);

        assertThat(budgets.exceeded()).isEqualTo(2);
    }

    @Test
    void aPeakBetweenTwoLooksIsSeen() {
        saw("eu-1", "streams", 10, 100, 150);

        assertThat(budgets.exceeded()).isEqualTo(1);
    }

    @Test
    void whatWasExceededStaysSoThoughTheNodeRestarts() {
        saw("eu-1", "streams", 10, 100, 150);
        saw("eu-1", "streams", 0, 200, 0);

        assertThat(budgets.exceeded()).isEqualTo(1);
    }

    @Test
    void aLimitOfZeroIsNone() {
        saw("eu-1", "other", 10, 0, 10);

        assertThat(budgets.exceeded()).isZero();
    }
}
