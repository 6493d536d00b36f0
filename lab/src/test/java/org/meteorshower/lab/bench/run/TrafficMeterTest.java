/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class TrafficMeterTest {
    private static final UUID ONE = new UUID(0, 1);
    private static final UUID TWO = new UUID(0, 2);

    private static TrafficMeter.Reading reading(long seconds, long messages, long threadMicros) {
        return new TrafficMeter.Reading(
                seconds * 1_000_000_000,
                2,
                Map.of(
                        new TrafficMeter.Link(ONE, TWO), new TrafficMeter.Sent(messages, 100 * messages),
                        new TrafficMeter.Link(TWO, ONE), new TrafficMeter.Sent(2 * messages, 200 * messages),
                        // Of a peer that nothing is shared with any more.
                        new TrafficMeter.Link(ONE, new UUID(0, 3)), new TrafficMeter.Sent(7, 700)),
                threadMicros);
    }

    @Test
    void whatWasSentBetweenTwoLooksIsToldByNodeAndSecond() {
        Traffic traffic = TrafficMeter.between(reading(10, 1_000, 500_000), reading(14, 1_400, 900_000));

        assertThat(traffic).isNotNull();
        assertThat(traffic.peers()).isEqualTo(1);
        assertThat(traffic.messageRate()).isEqualTo(3 * 400 / 4.0 / 2);
        assertThat(traffic.byteRate()).isEqualTo(100 * 3 * 400 / 4.0 / 2);
        assertThat(traffic.threadShare()).isEqualTo(0.4 / 4 / 2);
        assertThat(traffic.bytesPerWriteAndPeer(10)).isEqualTo(100 * 3 * 400 / 4.0 / 10 / 2);
        assertThat(traffic.bytesPerWriteAndPeer(0)).isNaN();
    }

    @Test
    void whereOneLookIsMissingNothingIsTold() {
        assertThat(TrafficMeter.between(null, reading(1, 1, 1))).isNull();
        assertThat(TrafficMeter.between(reading(1, 1, 1), null)).isNull();
    }
}
