/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client.changes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ChangePositionTest {
    @ParameterizedTest
    @CsvSource({
        "123, 123, 0",
        "123.0, 123, 0",
        "0.4, 0, 4",
        "9223372036854775807.2147483647, 9223372036854775807, 2147483647"
    })
    void aTextIsAPosition(String text, long place, int index) {
        ChangePosition position = ChangePosition.parse(text);

        assertThat(position).isEqualTo(new ChangePosition(place, index));
        assertThat(ChangePosition.parse(position.toString())).isEqualTo(position);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "1.", ".1", "1.2.3", "now", " 1", "9223372036854775808", "1.2147483648"})
    void otherTextsAreRefused(String text) {
        assertThatThrownBy(() -> ChangePosition.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"" + text + "\" is no position");
    }

    @Test
    void theFirstOfAnEntryIsItsPlace() {
        assertThat(ChangePosition.of(123)).hasToString("123");
        assertThat(new ChangePosition(123, 4)).hasToString("123.4");
    }

    @Test
    void placesComeBeforeIndices() {
        assertThat(new ChangePosition(1, 9)).isLessThan(new ChangePosition(2, 0));
        assertThat(new ChangePosition(2, 10)).isGreaterThan(new ChangePosition(2, 9));
        assertThat(new ChangePosition(2, 9).next()).isEqualTo(new ChangePosition(2, 10));
    }

    @Test
    void nothingIsNegative() {
        assertThatThrownBy(() -> new ChangePosition(-1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ChangePosition(0, -1)).isInstanceOf(IllegalArgumentException.class);
    }
}
