/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.background;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PaceTest {
    @Test
    void theFirstStepWaitsForNothingAndAsksForNoShare() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        new Pace(() -> {
                    asked.incrementAndGet();
                    return 0.01;
                })
                .next();
        assertThat(asked).hasValue(0);
    }

    @Test
    void aRestEndsAsSoonAsAllOfTheSpeedMayBeHad() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        Pace pace = new Pace(() -> asked.incrementAndGet() < 3 ? 1e-9 : 1);
        pace.next();
        Thread.sleep(2);
        pace.next();
        assertThat(asked).hasValue(3);
    }
}
