/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The modes: how old a cut may be. */
class ModesTest {
    private static final long ONE_WAY_MICROS = 40_000;
    private static final long EPSILON = Settings.DEFAULTS.clockErrorMicros();

    private final ScriptedCluster cluster = ScriptedCluster.unstarted(3, 2, TestSettings.plain());
    private final ScriptedNode node = cluster.node(1);

    @BeforeEach
    void start() {
        cluster.oneWayMillis(1, 2, 40).oneWayMillis(1, 3, 40).oneWayMillis(2, 3, 40);
        cluster.startAll();
        cluster.run(3_000);
    }

    @Test
    void aSequentialReadTakesWhateverIsCovered() {
        ScriptedNode.Reading reading = node.read(ReadMode.SEQUENTIAL);

        assertThat(reading.served()).isEqualTo(Served.LOCAL);
        assertThat(reading.offer.info().stalenessMicros()).isBetween(ONE_WAY_MICROS, ONE_WAY_MICROS + 11_000);
    }

    @Test
    void aBoundedReadUsesNoCutOlderThanTheta() {
        long begun = node.wallMicros();

        ScriptedNode.Reading reading = node.read(ReadMode.bounded(20_000));
        assertThat(reading.waits()).isTrue();
        cluster.run(60);

        assertThat(reading.cutMicros()).isGreaterThanOrEqualTo(begun - 20_000);
    }

    @Test
    void aBoundThatCoverageMeetsCostsNoWait() {
        assertThat(node.read(ReadMode.bounded(60_000)).served()).isEqualTo(Served.LOCAL);
    }

    @Test
    void meteorShower1WaitsForAStatusMessageSentAfterTheReadBegan() {
        long begun = node.wallMicros();

        ScriptedNode.Reading reading = node.read(ReadMode.METEORSHOWER1);
        cluster.run(30);
        assertThat(reading.waits()).isTrue();
        cluster.run(25);

        assertThat(reading.waits()).isFalse();
        assertThat(reading.cutMicros()).isGreaterThanOrEqualTo(begun);
    }

    @Test
    void meteorShower2AllowsTheOneWayDelayLessTheClockErrorAndSoWaitsForTheNextDispatchAtMost() {
        long begun = node.wallMicros();

        ScriptedNode.Reading reading = node.read(ReadMode.METEORSHOWER2);
        cluster.run(16); // a dispatch interval and the clock error

        assertThat(reading.waits()).isFalse();
        assertThat(reading.cutMicros()).isBetween(begun - ONE_WAY_MICROS, begun);
    }

    @Test
    void everyModeKeepsToTheTokenToo() {
        long token = node.wallMicros() + 30_000;
        for (ReadMode mode : new ReadMode[] {ReadMode.bounded(1_000_000), ReadMode.METEORSHOWER2, ReadMode.STRICT}) {
            ScriptedNode.Reading reading = node.read(1, token, mode);
            cluster.run(150);
            assertThat(reading.cutMicros()).isGreaterThanOrEqualTo(token);
            token = node.wallMicros() + 30_000;
        }
    }

    @Test
    void aStrictReadsCutIsAboveItsBeginningOnEveryClockAndHasPassedWhenItAnswers() {
        long begun = node.wallMicros();

        ScriptedNode.Reading reading = node.read(ReadMode.STRICT);
        while (reading.waits()) {
            cluster.run(1);
        }

        assertThat(reading.cutMicros()).isGreaterThanOrEqualTo(begun + EPSILON);
        assertThat(node.wallMicros()).isGreaterThanOrEqualTo(reading.cutMicros());
        assertThat(node.wallMicros() - begun).isLessThan(ONE_WAY_MICROS + EPSILON + 12_000);
    }

    @Test
    void aStrictReadWaitsUntilItsCutPassedOnTheWallClockEvenWhenCoverageIsAhead() {
        ScriptedCluster near = ScriptedCluster.ofThree();
        near.node(2).clockAheadMicros = 3_000; // within the clock error: its promises are for later than now
        near.run(30);
        ScriptedNode one = near.node(1);
        long begun = one.wallMicros();

        ScriptedNode.Reading reading = one.read(ReadMode.STRICT);
        while (reading.waits()) {
            near.run(1);
        }

        assertThat(one.wallMicros()).isGreaterThanOrEqualTo(reading.cutMicros());
        assertThat(reading.cutMicros()).isGreaterThanOrEqualTo(begun + EPSILON);
    }

    @Test
    void aStrictWriteTakesATimestampAboveNowOnEveryClock() {
        assertThat(node.write(Map.of("1.v", "a"), 0, true).timestampMicros())
                .isGreaterThan(node.wallMicros() + EPSILON);
    }

    @Test
    void aStrictWriteIsAcknowledgedAfterItsStampsHavePassedOnAllClocks() {
        ScriptedNode.Write write = node.write(Map.of("1.v", "a"), 0, true);
        for (int i = 1; i <= 3; i++) {
            cluster.node(i).apply(write.put());
        }
        node.receive(NodeId.of(2), new Message.WriteAck(0, Put.KEY, write.timestampMicros(), write.timestampMicros()));
        assertThat(write.isDone()).isFalse(); // commit wait

        while (!write.isDone()) {
            cluster.run(1);
        }

        assertThat(node.wallMicros() - EPSILON).isGreaterThan(write.timestampMicros());
        assertThat(node.wallMicros() - EPSILON).isGreaterThan(write.tokenMicros);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bounded", "meteorshower1", "meteorshower2", "strict"})
    void whereTheHybridClockHasLeftThePhysicalOneModesThatLeanOnItAreRefused(String name) {
        ReadMode mode =
                switch (name) {
                    case "bounded" -> ReadMode.bounded(10_000);
                    case "meteorshower1" -> ReadMode.METEORSHOWER1;
                    case "meteorshower2" -> ReadMode.METEORSHOWER2;
                    default -> ReadMode.STRICT;
                };
        node.receive(NodeId.of(2), new Message.Pull(node.wallMicros() + 10_000_000));

        ScriptedNode.Reading reading = node.read(mode);

        assertThat(reading.failed.failure()).isEqualTo(Effect.Failure.CLOCK);
        assertThat(node.read(ReadMode.SEQUENTIAL).failed).isNull();
    }

    @Test
    void andAnAlarmIsRaised() {
        node.receive(NodeId.of(2), new Message.Pull(node.wallMicros() + 10_000_000));
        node.read(ReadMode.STRICT);

        assertThat(node.alarms()).isNotEmpty();
    }

    @Test
    void aRestartedNodeServesThemOnlyAfterItsClockPassedTheCeiling() {
        node.read(0);
        node.crash();
        node.restart();
        cluster.run(150);
        assertThat(node.read(ReadMode.METEORSHOWER1).failed.failure()).isEqualTo(Effect.Failure.CLOCK);

        cluster.run(15_000);

        assertThat(node.read(ReadMode.METEORSHOWER1).failed).isNull();
    }

    @Test
    void aNegativeStalenessBoundIsRefused() {
        assertThatThrownBy(() -> ReadMode.bounded(-1)).hasMessageContaining("cannot be negative");
    }
}
