/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a node that starts takes clients. */
class CatchingUpTest {
    private final AtomicInteger looks = new AtomicInteger();

    private CatchingUp busyFor(int looksThatFindIt, int mostMillis) {
        return new CatchingUp(() -> looks.incrementAndGet() <= looksThatFindIt, mostMillis);
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
}
