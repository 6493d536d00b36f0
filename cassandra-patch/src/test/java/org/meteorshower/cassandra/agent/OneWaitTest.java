/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OneWaitTest {
    private final List<Object> awaited = new ArrayList<>();
    private final OriginalWait log = awaited::add;

    @Test
    void eachEntryIsWaitedForWhereNobodyGathers() {
        Hooks.logged(log, 1);
        Hooks.logged(log, 2);
        assertThat(awaited).containsExactly(1, 2);
    }

    @Test
    void ofManyEntriesTheLastIsWaitedForWhenAllAreThere() {
        OneWait.forAll(() -> {
            Hooks.logged(log, 1);
            Hooks.logged(log, 2);
            Hooks.logged(log, 3);
            assertThat(awaited).isEmpty();
        });
        assertThat(awaited).containsExactly(3);
        Hooks.logged(log, 4);
        assertThat(awaited).containsExactly(3, 4);
    }

    @Test
    void anotherThreadsEntriesAreNotGathered() throws InterruptedException {
        Thread other = new Thread(() -> Hooks.logged(log, 2));
        OneWait.forAll(() -> {
            Hooks.logged(log, 1);
            other.start();
            join(other);
            assertThat(awaited).containsExactly(2);
        });
        assertThat(awaited).containsExactly(2, 1);
    }

    @Test
    void whereNothingIsWrittenNothingIsWaitedFor() {
        OneWait.forAll(() -> {});
        assertThat(awaited).isEmpty();
    }

    @Test
    void whatFailsLeavesNothingBehind() {
        assertThatThrownBy(() -> OneWait.forAll(() -> {
                    Hooks.logged(log, 1);
                    throw new IllegalStateException("no room");
                }))
                .hasMessage("no room");
        Hooks.logged(log, 2);
        assertThat(awaited).containsExactly(2);
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
