/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.meteorshower.protocol.Effect;
import org.meteorshower.simulator.SimulationPlan.Cluster;
import org.meteorshower.simulator.SimulationPlan.Faults;
import org.meteorshower.simulator.SimulationPlan.Workload;

/** How many messages all nodes send for a write, where some 500 are written in a second. */
class MessagesOfWritesTest {
    private static final long FROM_MICROS = 3_000_000;
    private static final long TO_MICROS = 9_000_000;

    /** What happens between these moments: before, streams begin; afterwards clients end. */
    private static final class Counts implements Trace {
        private long nowMicros;
        private long messages;
        private long writes;

        private boolean counts() {
            return nowMicros >= FROM_MICROS && nowMicros < TO_MICROS;
        }

        @Override
        public void step(long micros, int node, Object what) {
            nowMicros = micros;
            messages += counts() && what instanceof Effect.Send ? 1 : 0;
        }

        @Override
        public void wrote(String session, List<CellUpdate> updates, long tokenMicros) {
            writes += counts() ? 1 : 0;
        }
    }

    /** Three nodes 50 ms apart, 51 clients; stores take so long for a mutation. */
    @ParameterizedTest(name = "stores {0} us, {1} of the operations are reads: at most {2}")
    @CsvSource({"300, 0, 2.0", "300, 0.5, 2.0", "6000, 0, 1.7"})
    void areTwoAtMost(long diskMicros, double readShare, double most) {
        Counts counts = new Counts();
        int operations = readShare > 0 ? 10_000 : 5_000;

        SimulationResult result = Simulation.run(
                Plans.calm(1)
                        .withCluster(new Cluster(List.of(1, 1, 1), List.of(1, 1, 1), 2, 1_000))
                        .withWorkload(new Workload(1_000, 1, 1, 51, operations, readShare, 0, 0, 0, 0, false))
                        .withFaults(Faults.NONE.withDisk(diskMicros)),
                OperationSink.NOBODY,
                counts);

        double each = (double) counts.messages / counts.writes;
        System.out.println(counts.messages + " messages of " + counts.writes + " writes: " + each + "; " + result);
        assertThat(counts.writes).isGreaterThan(450 * (TO_MICROS - FROM_MICROS) / 1_000_000);
        assertThat(each).isLessThanOrEqualTo(most);
        assertThat(result.writeMillis(0.99)).isLessThan(107); // a round trip, and what may be gathered
    }
}
