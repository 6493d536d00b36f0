/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.testcontainers;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofNanos;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.meteorshower.testcontainers.MeteorShowerCluster.dcs;
import static org.meteorshower.testcontainers.MeteorShowerCluster.oneWay;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is asked of the network, in the form that nodes follow. */
class DistancesTest {
    private static final List<String> TWO = List.of("eu", "us");

    @Test
    void oneDistanceHoldsForAllPairsInBothDirections() {
        assertThat(oneWay(ofMillis(50)).text(TWO)).isEqualTo("delay.eu.us=50\ndelay.us.eu=50\n");
    }

    @Test
    void aPairMayHaveADistanceOfItsOwn() {
        String text = oneWay(ofMillis(50)).and("us", "asia", ofMillis(75)).text(List.of("eu", "us", "asia"));

        assertThat(text.lines())
                .contains("delay.us.asia=75", "delay.asia.us=75", "delay.eu.asia=50", "delay.eu.us=50")
                .hasSize(6);
    }

    @Test
    void fractionsOfAMillisecondAreKept() {
        assertThat(oneWay(ofNanos(1_500_000)).text(TWO)).contains("delay.eu.us=1.5\n");
    }

    @Test
    void aDataCentreThatIsAwayIsCutOffInBothDirections() {
        Distances away = oneWay(ofMillis(1)).without("us");

        assertThat(away.text(TWO)).contains("cut.eu.us=true\n", "cut.us.eu=true\n");
        assertThat(away.with("us").text(TWO)).doesNotContain("cut");
    }

    @Test
    void distancesToDataCentresThatAreNotThereAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> new MeteorShowerCluster(TWO, oneWay(ofMillis(1)).and("eu", "mars", ofMillis(5))))
                .withMessageContaining("mars")
                .withMessageContaining("eu, us");
    }

    @Test
    void distancesThatNoMessageCanTravelAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> oneWay(ofMillis(-1)));
        assertThatIllegalArgumentException().isThrownBy(() -> oneWay(Duration.ofMinutes(2)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> oneWay(ofMillis(1)).and("eu", "eu", ofMillis(1)));
    }

    @Test
    void namesThatCannotBeAHostAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> dcs("eu", "Europe 2"));
        assertThatIllegalArgumentException().isThrownBy(() -> dcs("eu", "eu"));
        assertThatIllegalArgumentException().isThrownBy(() -> dcs());
    }
}
