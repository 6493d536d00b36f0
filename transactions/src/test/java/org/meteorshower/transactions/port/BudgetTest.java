/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class BudgetTest {
    private static final long MEBIBYTE = 1L << 20;

    @Test
    void lagSlowsBeforeItStopsAndStopsBeforeNobodyWaits() {
        for (long lanes = MEBIBYTE; lanes <= 4_096 * MEBIBYTE; lanes *= 2) {
            for (long log = 64 * MEBIBYTE; log <= 4_096 * MEBIBYTE; log *= 4) {
                Budget budget = Budget.of(lanes, 2 * lanes, lanes / 4, log);
                assertThat(budget.slowBytes()).isLessThan(budget.stopBytes());
                assertThat(budget.stopBytes()).isLessThan(budget.behindBytes());
            }
        }
    }

    @Test
    void anEntryFitsManyTimes() {
        Budget budget = Budget.of(4 * MEBIBYTE, 8 * MEBIBYTE, MEBIBYTE, 64 * MEBIBYTE);
        assertThat(budget.entryBytes()).isLessThan((int) budget.laneBytes() / 4);
    }

    @Test
    void whatCannotWorkTogetherIsRefusedWithTheReason() {
        assertThatThrownBy(() -> new Budget(100, 100, 0, 100, 1, 2, 3, 4)).hasMessageContaining("above 0");
        assertThatThrownBy(() -> new Budget(100, 100, 100, 100, 2, 2, 3, 4)).hasMessageContaining("slows, then stops");
        assertThatThrownBy(() -> new Budget(100, 100, 100, 100, 1, 2, 3, 3)).hasMessageContaining("the log must hold");
        assertThatThrownBy(() -> new Budget(100, 100, 100, 100, 1, 101, 103, 104))
                .hasMessageContaining("rows must have room");
    }
}
