/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Reads that promise an age at a node whose own clock is behind by more than ε, and by less than what its hybrid clock
 * shows: 40 ms lie between any two nodes. The age counts by the clocks of those that the node hears.
 */
class ClockBehindTest {
    private static final long EPSILON = Settings.DEFAULTS.clockErrorMicros();

    private ScriptedCluster cluster;
    private ScriptedNode node;

    @BeforeEach
    void start() {
        begin(TestSettings.plain());
    }

    private void begin(TestSettings settings) {
        cluster = ScriptedCluster.unstarted(3, 2, settings);
        cluster.oneWayMillis(1, 2, 40).oneWayMillis(1, 3, 40).oneWayMillis(2, 3, 40);
        cluster.startAll();
        cluster.run(3_000);
        node = cluster.node(1);
    }

    /** @return how old the cut was when the read began, by a clock that is right */
    private long ageMicros(ReadMode mode) {
        long begunMicros = cluster.nowMicros;
        ScriptedNode.Reading reading = node.read(mode);
        for (int i = 0; i < 1_000 && reading.waits(); i++) {
            cluster.run(1);
        }
        assertThat(reading.failed).isNull();
        return begunMicros - reading.cutMicros();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 10_000, 40_000})
    void noCutIsOlderThanItsModeAllowsByAClockThatIsHeard(long thetaMicros) {
        for (int behindMillis = 6; behindMillis <= 42; behindMillis += 4) {
            node.clockAheadMicros = -1_000L * behindMillis;
            assertThat(ageMicros(ReadMode.bounded(thetaMicros))).isLessThanOrEqualTo(thetaMicros + EPSILON);
            cluster.run(200);
        }
    }

    @Test
    void norWhereTheClockStandsStill() {
        for (int i = 0; i < 40; i++) {
            node.clockAheadMicros -= 1_000;
            cluster.run(1);
        }

        assertThat(ageMicros(ReadMode.METEORSHOWER1)).isLessThanOrEqualTo(EPSILON);
    }

    /** Else nothing above would show anything. */
    @Test
    void whereClocksAreNotWatchedItIs() {
        begin(TestSettings.plain().withoutWatchingClocks());
        node.clockAheadMicros = -30_000;

        assertThat(ageMicros(ReadMode.METEORSHOWER1)).isGreaterThan(20_000);
    }

    @Test
    void itCostsNoMoreThanHalfARoundTripAsEver() {
        node.clockAheadMicros = -30_000;
        long begunMicros = cluster.nowMicros;

        ageMicros(ReadMode.METEORSHOWER1);

        assertThat(cluster.nowMicros - begunMicros).isLessThanOrEqualTo(55_000);
    }

    @Test
    void aBoundThatCoverageMeetsStillCostsNoWait() {
        node.clockAheadMicros = -30_000;

        assertThat(node.read(ReadMode.bounded(60_000)).served()).isEqualTo(Served.LOCAL);
    }

    @Test
    void clocksThatDifferByLessChangeNothing() {
        node.clockAheadMicros = -3_000;
        cluster.run(100);
        long begunMicros = node.wallMicros();

        ScriptedNode.Reading reading = node.read(ReadMode.bounded(45_000));

        assertThat(reading.served()).isEqualTo(Served.LOCAL);
        assertThat(reading.cutMicros()).isGreaterThanOrEqualTo(begunMicros - 45_000);
    }

    @Test
    void aPeersClockThatIsAheadMakesTheOthersReadsWaitForIt() {
        cluster.node(2).clockAheadMicros = 20_000;
        cluster.run(200);

        assertThat(ageMicros(ReadMode.METEORSHOWER1)).isLessThanOrEqualTo(EPSILON - 20_000);
    }

    /** The node comes back with a wrong clock, and the first thing that it gets is a read. */
    @Test
    void afterARestartNothingThatPromisesAnAgeIsAnsweredBeforeAClockWasHeardOf() {
        node.crash();
        cluster.run(2_000);
        node.clockAheadMicros = -30_000;
        node.restart();
        ScriptedNode.Reading reading = node.read(ReadMode.bounded(20_000));
        long begunMicros = cluster.nowMicros;
        cluster.lose(Message.StatusMessage.class::isInstance);
        cluster.run(300);
        assertThat(reading.waits()).isTrue();
        assertThat(node.core().view().whyWaits(reading.id)).contains("too few clocks");

        cluster.heal();
        cluster.run(300);

        assertThat(reading.failed).isNull();
        assertThat(reading.cutMicros()).isGreaterThanOrEqualTo(begunMicros - 20_000 - EPSILON);
    }
}
