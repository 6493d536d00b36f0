/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a node that starts takes clients. */
class CatchingUpTest {
    private final AtomicInteger looks = new AtomicInteger();

    private CatchingUp busyFor(int looksThatFindIt, int mostMillis) {
        return new CatchingUp(() -> looks.incrementAndGet() <= looksThatFindIt, () -> 1, mostMillis, 600_000);
    }

    /** One that is busy for ever, and is asked once a second how much it lacks. */
    private CatchingUp lacking(IntUnaryOperator bySecond, int patienceMillis) {
        AtomicInteger second = new AtomicInteger();
        return new CatchingUp(() -> true, () -> bySecond.applyAsInt(second.getAndIncrement()), 600_000, patienceMillis);
    }

    private static long millisOf(CatchingUp catchingUp) {
        long beganNanos = System.nanoTime();
        catchingUp.await();
        return (System.nanoTime() - beganNanos) / 1_000_000;
    }

    @Test
    void atOnceWhereNothingIsBrought() {
        busyFor(0, 60_000).await();

        assertThat(looks).hasValue(1);
    }

    @Test
    @Timeout(60)
    void onceItHasBeenQuietForAWhile() {
        long beganNanos = System.nanoTime();
        busyFor(3, 600_000).await();

        assertThat(System.nanoTime() - beganNanos).isGreaterThanOrEqualTo(300_000_000L);
        assertThat(looks).hasValueGreaterThan(4);
    }

    @Test
    @Timeout(60)
    void notLaterThanItIsTold() {
        busyFor(Integer.MAX_VALUE, 200).await();

        assertThat(looks).hasValueGreaterThan(1);
    }

    @Test
    void notAtAllWhereItIsSwitchedOff() {
        busyFor(Integer.MAX_VALUE, 0).await();

        assertThat(looks).hasValue(0);
    }

    @Test
    @Timeout(60)
    void notLongerThanItIsPatientWhereItComesNoCloser() {
        assertThat(millisOf(lacking(second -> 1_000 - second, 1_500))).isBetween(1_500L, 20_000L);
    }

    /** It hears of a thousand after a second, and has four hundred of them two seconds later. */
    @Test
    @Timeout(60)
    void longerWhereItComesCloser() {
        IntUnaryOperator bySecond = second -> second < 1 ? 0 : Math.max(600, 1_200 - 200 * second);

        assertThat(millisOf(lacking(bySecond, 4_000))).isGreaterThan(5_500);
    }
}
