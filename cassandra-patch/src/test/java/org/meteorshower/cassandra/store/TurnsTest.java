/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TurnsTest {
    private final Turns requests = new Turns();

    @Test
    void thoseThatHadBegunAreWaitedFor() {
        int before = requests.begin();
        long then = requests.now();
        assertThat(requests.areOver(then)).isFalse();
        requests.end(before);
        assertThat(requests.areOver(then)).isTrue();
    }

    @Test
    void thoseThatBeginLaterAreNot() {
        int before = requests.begin();
        long then = requests.now();
        assertThat(requests.areOver(then)).isFalse();
        int after = requests.begin();
        requests.end(before);
        assertThat(requests.areOver(then)).isTrue();
        requests.end(after);
        assertThat(requests.areOver(then)).isTrue();
    }

    /** One that goes on for long holds up who waits next, not for ever. */
    @Test
    void severalCanBeWaitedForOneAfterTheOther() {
        int first = requests.begin();
        long one = requests.now();
        assertThat(requests.areOver(one)).isFalse();
        int second = requests.begin();
        long two = requests.now();
        assertThat(requests.areOver(two))
                .as("the turn after it needs the place of the one before it")
                .isFalse();
        requests.end(first);
        assertThat(requests.areOver(one)).isTrue();
        assertThat(requests.areOver(two)).isFalse();
        requests.end(second);
        assertThat(requests.areOver(two)).isTrue();
        assertThat(requests.areOver(one)).isTrue();
    }

    @Test
    void nobodyIsMissedWhoHadBegunWithoutKnowing() throws InterruptedException {
        AtomicInteger closings = new AtomicInteger();
        AtomicInteger unaware = new AtomicInteger();
        AtomicBoolean stop = new AtomicBoolean();
        List<Thread> clients = new ArrayList<>();
        List<AtomicInteger> going = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            AtomicInteger as = new AtomicInteger(-1);
            going.add(as);
            clients.add(new Thread(() -> {
                while (!stop.get()) {
                    int place = requests.begin();
                    int seen = closings.get();
                    as.set(seen); // goes on as of what it has seen
                    as.set(-1);
                    requests.end(place);
                }
            }));
        }
        clients.forEach(Thread::start);
        for (int round = 1; round <= 2_000; round++) {
            closings.incrementAndGet();
            long then = requests.now();
            while (!requests.areOver(then)) {
                Thread.onSpinWait();
            }
            for (AtomicInteger as : going) {
                int seen = as.get();
                unaware.addAndGet(seen >= 0 && seen < round ? 1 : 0);
            }
        }
        stop.set(true);
        for (Thread client : clients) {
            client.join();
        }
        assertThat(unaware).hasValue(0);
    }
}
