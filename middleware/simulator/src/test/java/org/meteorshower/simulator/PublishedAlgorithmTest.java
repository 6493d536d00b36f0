/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.meteorshower.simulator.MajorityValue.IDENTICAL_AT_A_MAJORITY;
import static org.meteorshower.simulator.MajorityValue.LARGEST_AT_A_MAJORITY;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.meteorshower.simulator.PublishedAlgorithm.Setting;

/** The rival is what was published, and is wrong where it is said to be. */
class PublishedAlgorithmTest {
    private static final List<Long> EQUAL = List.of(50_000L, 50_000L, 50_000L);

    private static Setting setting(boolean withAllowance, MajorityValue rule) {
        return new Setting(EQUAL, withAllowance, rule, 4, 24, 500);
    }

    @Test
    void aMajorityHoldsAVersionWhereItHoldsThatOrALaterOne() {
        assertThat(LARGEST_AT_A_MAJORITY.among(3, 9, 5)).isEqualTo(5);
        assertThat(LARGEST_AT_A_MAJORITY.among(9, 5)).isEqualTo(5);
    }

    @Test
    void aMajorityIsIdenticalOnlyWhereTwoHoldTheSame() {
        assertThat(IDENTICAL_AT_A_MAJORITY.among(3, 9, 5)).isNull();
        assertThat(IDENTICAL_AT_A_MAJORITY.among(5, 9, 5)).isEqualTo(5);
    }

    @ParameterizedTest
    @EnumSource(MajorityValue.class)
    void oneReplicaIsNoMajority(MajorityValue rule) {
        assertThat(rule.among(9)).isNull();
    }

    @Test
    void aStatusMessageFromBeforeTheReadCountsOnlyWithinTheAllowance() {
        PublishedReplica without = new PublishedReplica(0, 3, 1, LARGEST_AT_A_MAJORITY, 0);
        PublishedReplica with = new PublishedReplica(0, 3, 1, LARGEST_AT_A_MAJORITY, 50);
        without.heard(1, new long[] {0}, 100);
        with.heard(1, new long[] {0}, 100);

        assertThat(without.decide(0, 99)).isZero();
        assertThat(without.decide(0, 100)).isNull();
        assertThat(with.decide(0, 149)).isZero();
        assertThat(with.decide(0, 150)).isNull();
    }

    @Test
    void aReadWaitsForTheMutationThatItHasHeardOf() {
        PublishedReplica replica = new PublishedReplica(0, 3, 1, IDENTICAL_AT_A_MAJORITY, 0);
        replica.heard(1, new long[] {7}, 200);
        replica.heard(2, new long[] {7}, 200);
        List<Long> answers = new ArrayList<>();
        replica.waits(() -> {
            Long answer = replica.decide(0, 100);
            return answer != null && answers.add(answer);
        });

        assertThat(replica.decide(0, 100)).isNull();
        replica.apply(0, 7);
        assertThat(answers).containsExactly(7L);
    }

    @ParameterizedTest
    @EnumSource(MajorityValue.class)
    void meteorShower1IsSequentialWithPerfectClocksAndNoFaults(MajorityValue rule) {
        for (int seed = 0; seed < 5; seed++) {
            PublishedRun run = PublishedRun.of(setting(false, rule), seed, line -> {});

            assertThat(run.operations()).isGreaterThan(450);
            assertThat(run.violation()).isNull();
            assertThat(run.wrongReads()).isZero();
        }
    }

    @Test
    void meteorShower2IsNotSinceItMixesStatusMessagesOfDifferentAge() {
        List<String> lines = new ArrayList<>();

        PublishedRun run = PublishedRun.of(setting(true, LARGEST_AT_A_MAJORITY), 0, lines::add);

        assertThat(run.violation()).contains("VIOLATION");
        assertThat(run.wrongReads()).isPositive();
        assertThat(run.wentBack()).isPositive();
        assertThat(lines.stream().filter(run::concerns))
                .hasSizeGreaterThanOrEqualTo(run.example().size());
        assertThat(PublishedRun.of(setting(true, LARGEST_AT_A_MAJORITY), 0, line -> {}))
                .isEqualTo(run);
    }
}
