/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.top;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.Writer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.meteorshower.lab.console.Display;

final class TopMemoryTest {
    private static final long MB = 1 << 20;

    @Test
    void whoHoldsNineTenthsIsNearItsEnd() {
        assertThat(new MemoryReading(9 * MB, 10 * MB, 9 * MB, 0).isNearItsEnd("records"))
                .isTrue();
        assertThat(new MemoryReading(8 * MB, 10 * MB, 10 * MB, 3).isNearItsEnd("records"))
                .isFalse();
        assertThat(new MemoryReading(0, 0, 0, 0).isNearItsEnd("records")).isFalse();
        assertThat(new MemoryReading(10 * MB, 10 * MB, 10 * MB, 9).isNearItsEnd("retired_ids"))
                .as("what forgets the oldest is always full")
                .isFalse();
    }

    @Test
    void nothingIsShownWhereNobodyTells() {
        assertThat(new TopMemory(new Display(new PrintWriter(Writer.nullWriter()), false)).lines(List.of()))
                .isEmpty();
    }
}
