/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.smallscope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.meteorshower.simulator.Trace;

class DigestTest {
    @Test
    void theOrderOfAHashSetMakesNoDifferenceAndThatOfALinkedOneDoes() {
        assertThat(Digest.of(Set.of("a", "b", "c"))).isEqualTo(Digest.of(Set.of("c", "a", "b")));
        assertThat(Digest.of(new LinkedHashSet<>(List.of("a", "b"))))
                .isNotEqualTo(Digest.of(new LinkedHashSet<>(List.of("b", "a"))));
        assertThat(Digest.of(new TreeMap<>(Map.of(1, "a")))).isNotEqualTo(Digest.of(new TreeMap<>(Map.of(1, "b"))));
    }

    @Test
    void whatItDoesNotUnderstandItRefuses() {
        Object strange = Optional.of("x");
        assertThatThrownBy(() -> Digest.of(strange)).hasMessageContaining("Optional");
        assertThatThrownBy(() -> Digest.of(0.5)).hasMessageContaining("Double");
    }

    @Test
    void whatItLeavesOutIsStillThere() throws ReflectiveOperationException {
        for (String field : Digest.overwritten()) {
            String[] parts = field.split("\\.");
            assertThat(Class.forName("org.meteorshower.protocol." + parts[0]).getDeclaredField(parts[1]))
                    .isNotNull();
        }
    }

    @Test
    void nodesThatTookTheSameStepsAreAlikeAndOneThatTookAnotherIsNot() {
        Scenario scenario = Scenarios.named("message-passing");
        LocalNode one = new LocalNode(0, scenario, new Pools(), Trace.NONE);
        LocalNode other = new LocalNode(0, scenario, new Pools(), Trace.NONE);
        for (Step step : List.of(new Step.Start(), new Step.Tick(), new Step.Begin(0, 0, 0))) {
            one.step(step);
            assertThat(one.fingerprint()).isNotEqualTo(other.fingerprint());
            other.again(step);
            assertThat(one.fingerprint()).isEqualTo(other.fingerprint());
        }
    }
}
