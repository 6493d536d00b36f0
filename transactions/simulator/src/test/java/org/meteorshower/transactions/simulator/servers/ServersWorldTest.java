/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ServersWorldTest {
    private static final int SEEDS = 25;

    @ParameterizedTest
    @EnumSource
    void serversDoWhatSerialExecutionDoes(ServersPlan.About about) {
        for (long seed = 0; seed < SEEDS; seed++) {
            ServersWorld world = new ServersWorld(ServersPlan.of(about, seed), null);
            world.run();

            assertThat(world.violation()).as(about + ", seed " + seed).isNull();
            assertThat(world.isSettled())
                    .as(about + ", seed " + seed + ": " + world.summary())
                    .isTrue();
        }
    }

    /** Of ranges 1 and 4, which it served, it is noticed after 0.15 s. */
    @Test
    void aNodesDeathMovesItsRangesAndStopsNobodyElses() {
        for (long seed = 0; seed < SEEDS; seed++) {
            ServersWorld world = new ServersWorld(ServersPlan.oneDies(seed), null);
            world.run();

            assertThat(world.violation()).isNull();
            world.slowestMicros().forEach((range, micros) -> assertThat(micros)
                    .as("range " + range)
                    .isLessThan(range % 3 == 1 ? ServersWorld.NOTICED_MICROS + 50_000 : 20_000));
        }
    }

    @Test
    void theSameSeedGivesTheSameRun() {
        assertThat(transcript(7)).isEqualTo(transcript(7)).isNotEqualTo(transcript(8));
    }

    private static List<String> transcript(long seed) {
        List<String> lines = new ArrayList<>();
        new ServersWorld(ServersPlan.of(ServersPlan.About.SPLIT_ASSIGNMENT, seed), lines::add).run();
        return lines;
    }
}
