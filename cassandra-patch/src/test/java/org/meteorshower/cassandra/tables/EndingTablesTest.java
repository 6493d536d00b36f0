/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.cassandra.schema.TableId;
import org.junit.jupiter.api.Test;

class EndingTablesTest {
    private final Set<UUID> ending = ConcurrentHashMap.newKeySet();
    private final AtomicLong clock = new AtomicLong(100);
    private final AtomicLong shared = new AtomicLong();
    private final EndingTables endings = new EndingTables(ending::contains, clock::get, shared::set);
    private final TableId table = TableId.generate();
    private final UUID name = UUID.randomUUID();

    private static long in(long millis) {
        return System.nanoTime() + Duration.ofMillis(millis).toNanos();
    }

    @Test
    void aTableIsHeldUntilNobodyServesIt() {
        ending.add(name);
        endings.begin(table, name);
        assertThat(endings.holds(table)).isTrue();
        assertThat(endings.await(table, in(20))).isFalse();

        ending.remove(name);
        assertThat(endings.await(table, in(20))).isTrue();
        assertThat(endings.none()).isTrue();
    }

    /** Enabled and disabled again before all had heard: some node may still serve it as it was first. */
    @Test
    void aTableIsHeldUnderAnEarlierNameToo() {
        UUID later = UUID.randomUUID();
        ending.add(name);
        endings.begin(table, name);
        endings.begin(table, later);
        assertThat(endings.holds(table)).isTrue();
        assertThat(endings.names()).containsExactlyInAnyOrder(name, later);

        ending.remove(name);
        assertThat(endings.holds(table)).isFalse();
        assertThat(endings.names()).isEmpty();
    }

    @Test
    void whoWaitsGoesOnWhenItIsOver() throws InterruptedException {
        ending.add(name);
        endings.begin(table, name);
        Set<Boolean> outcome = new HashSet<>();
        Thread waiting = new Thread(() -> outcome.add(endings.await(table, in(60_000))));
        waiting.start();
        ending.remove(name);
        waiting.join(10_000);

        assertThat(outcome).containsExactly(true);
    }

    @Test
    void answersAfterItsEndAreLaterThanAllThatWasServedBeforeIt() {
        assertThat(endings.overSinceMicros(table)).isEqualTo(100); // known since the start: it may have ended before
        endings.begin(table, name);
        clock.set(200);
        endings.tidy();
        clock.set(300);

        assertThat(endings.overSinceMicros(table)).isEqualTo(200);
        assertThat(shared).hasValue(200); // the token of those who bring none
    }
}
