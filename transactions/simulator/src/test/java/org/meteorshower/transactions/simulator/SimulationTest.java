/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.meteorshower.simulator.Trace;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Observer;

/** A slice of the seeds that {@code ./meteor simulate --model catenae} runs by the thousand. */
class SimulationTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 6, 7, 9, 11, 12, 13, 15, 16, 17, 18, 19, 20, 21, 22})
    void noVerifierFindsAnythingWrong(long seed) {
        CheckedRun run = CheckedRun.of(Kind.of(seed), seed, Trace.NONE);

        assertThat(run.complaint())
                .as("./meteor simulate --model catenae --seed %d", seed)
                .isNull();
        assertThat(run.operations()).isGreaterThan(20);
    }

    /** All died at once, and a message of the last life told of decisions that nobody knew any more. */
    @Test
    void whatEverybodyHasForgottenIsDecidedAgain() {
        assertThat(CheckedRun.of(Kind.RANDOM, 2_357, Trace.NONE).complaint()).isNull();
    }

    @Test
    void theSameSeedGivesTheSameRun() {
        assertThat(trace(14)).isEqualTo(trace(14)).isNotEqualTo(trace(13));
    }

    private static int trace(long seed) {
        int[] hash = {0};
        CheckedRun.of(Kind.LOST_DISKS, seed, new Trace() {
            @Override
            public void step(long nowMicros, int node, Object what) {
                String told = what instanceof Observer.Executed || what instanceof Effect.Reply
                        ? what.toString()
                        : what.getClass().getName();
                hash[0] = 31 * (31 * hash[0] + told.hashCode()) + Long.hashCode(nowMicros) + node;
            }
        });
        return hash[0];
    }
}
