/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.wan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WanMatrixTest {
    @Test
    void readsEveryKeyOfTheContract() throws WanFormatException {
        WanMatrix matrix = WanMatrix.parse(List.of(
                "# a comment",
                "",
                "delay.eu.us = 50.25",
                "jitter.eu.us=2",
                "loss.eu.us=0.5",
                "cut.us.eu=true",
                "clock.eu-1=-1.5",
                "disk.us-1=2.5",
                "clock.127.0.0.2=120000",
                "clock.0:0:0:0:0:0:0:1=7"));

        assertThat(matrix.link("eu", "us")).isEqualTo(new WanLink(50_250_000, 2_000_000, 0.5, false));
        assertThat(matrix.link("us", "eu")).isEqualTo(new WanLink(0, 0, 0, true));
        assertThat(matrix.link("eu", "asia")).isEqualTo(WanLink.OPEN);
        assertThat(matrix.clockOffsetMicros("eu-1")).isEqualTo(-1_500);
        assertThat(matrix.clockOffsetMicros("no such name", "127.0.0.2")).isEqualTo(120_000_000);
        assertThat(matrix.clockOffsetMicros("0:0:0:0:0:0:0:1")).isEqualTo(7_000);
        assertThat(matrix.clockOffsetMicros("us-1")).isZero();
        assertThat(matrix.diskPauseMicros("us-1")).isEqualTo(2_500);
        assertThat(matrix.diskPauseMicros("eu-1")).isZero();
    }

    @Test
    void zeroesAreTheSameAsNothing() throws WanFormatException {
        assertThat(WanMatrix.parse(List.of("delay.eu.us=0", "cut.eu.us=false", "clock.a=5"))
                        .isOpen())
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "delay.eu.us=fast, no number",
        "delay.eu.us=-1, within",
        "delay.eu.us=NaN, within",
        "delay.eu.us=1e12, within",
        "loss.eu.us=1.1, within",
        "cut.eu.us=yes, true or false",
        "clock.eu-1=, no number",
        "clock.=3, not known",
        "disk.=3, not known",
        "disk.eu-1=-3, within",
        "delay.eu=3, not known",
        "delay.eu.us.asia=3, not known",
        "delay..us=3, not known",
        "speed.eu.us=3, must begin with",
        "delay.eu.us, has no",
        "jitter.a.b=1, twice"
    })
    void aBadLineIsNamedWithItsNumberAndWhatIsWrong(String line, String what) {
        assertThatThrownBy(() -> WanMatrix.parse(List.of("# first", "jitter.a.b=1", line)))
                .isInstanceOf(WanFormatException.class)
                .hasMessageContaining("line 3")
                .hasMessageContaining(line.replaceFirst("=.*", ""))
                .hasMessageContaining(what);
    }
}
