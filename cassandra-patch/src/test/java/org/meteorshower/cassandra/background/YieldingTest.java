/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.background;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.meteorshower.cassandra.config.BackgroundOptions;

class YieldingTest {
    private static final long SECONDS = 60;

    private final Yielding relative = new Yielding(new BackgroundOptions(0, 0.25, false, false));

    @Test
    void itIsSlowerWhileReadsTakeHalfAsLongAgainAsUsual() {
        relative.idle(1_000);
        relative.working(1_000);
        double first = relative.share();
        relative.working(1_600);
        assertThat(relative.share()).isLessThan(first);
        double slower = relative.share();
        relative.working(1_400);
        assertThat(relative.share()).isGreaterThan(slower);
    }

    @Test
    void itNeverStopsAndIsSoonAtFullSpeedAgain() {
        relative.idle(1_000);
        for (int i = 0; i < SECONDS; i++) {
            relative.working(50_000);
        }
        assertThat(relative.share()).isEqualTo(0.25);
        for (int i = 0; i < 8; i++) {
            relative.working(1_000);
        }
        assertThat(relative.share()).isCloseTo(1, within(1e-9));
    }

    @Test
    void whereNobodyReadsThereIsNobodyToYieldTo() {
        relative.idle(1_000);
        relative.working(0);
        for (int i = 0; i < 10; i++) {
            relative.working(0);
        }
        assertThat(relative.share()).isEqualTo(1);
    }

    @Test
    void whatCannotBeToldYetChangesNothing() {
        relative.idle(1_000);
        relative.idle(ClientReads.NOT_YET);
        relative.working(1_000);
        relative.working(9_000);
        double share = relative.share();
        relative.working(ClientReads.NOT_YET);
        assertThat(relative.share()).isEqualTo(share);
    }

    @Test
    void whereReadsAreFewItIsAtFullSpeedAsSoon() {
        relative.idle(1_000);
        relative.working(1_000);
        double share = relative.share();
        for (int i = 0; i < 4; i++) {
            relative.working(ClientReads.NOT_YET);
        }
        relative.working(1_000);
        assertThat(relative.share()).isCloseTo(share + 0.5, within(1e-9));
    }

    @Test
    void whereItIsNotKnownWhatIsUsualItGoesAtFullSpeed() {
        relative.working(90_000);
        relative.working(90_000);
        assertThat(relative.share()).isEqualTo(1);
    }

    @Test
    void whatReadsTakeMeanwhileIsNotTakenForUsual() {
        relative.idle(1_000);
        for (int i = 0; i < SECONDS; i++) {
            relative.working(20_000);
        }
        assertThat(relative.objectiveMicros()).isEqualTo(1_500);
    }

    @Test
    void anObjectiveThatIsSetCounts() {
        Yielding set = new Yielding(new BackgroundOptions(10_000, 0.1, false, false));
        set.idle(1_000);
        set.working(9_000);
        set.working(9_000);
        assertThat(set.share()).isGreaterThan(0.5);
        for (int i = 0; i < SECONDS; i++) {
            set.working(11_000);
        }
        assertThat(set.share()).isEqualTo(0.1);
    }
}
