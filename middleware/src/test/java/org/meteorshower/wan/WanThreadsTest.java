/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.wan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The emulated network, used by several threads while its rules come and go. */
@Tag("threads")
class WanThreadsTest {
    private static final int FLOWS = 3;
    private static final int SENDERS_OF_A_FLOW = 2;
    private static final RandomGenerator RANDOM =
            () -> ThreadLocalRandom.current().nextLong();

    @Test
    void theMessagesOfOneSenderToOnePlaceKeepTheirOrderWhileDelaysComeAndGo() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(SENDERS_OF_A_FLOW * FLOWS);
        AtomicBoolean ended = new AtomicBoolean();
        try (WanEmulator wan = new WanEmulator(RANDOM, 100_000)) {
            List<ConcurrentLinkedQueue<Integer>> arrived = new ArrayList<>();
            List<Future<Integer>> sending = new ArrayList<>();
            for (int sender = 0; sender < SENDERS_OF_A_FLOW * FLOWS; sender++) {
                ConcurrentLinkedQueue<Integer> here = new ConcurrentLinkedQueue<>();
                arrived.add(here);
                String to = "dc" + sender % FLOWS;
                sending.add(threads.submit(() -> {
                    int sent = 0;
                    for (; !ended.get() && sent < 1_000_000; sent++) {
                        int number = sent;
                        wan.submit("here", to, () -> {
                            if (number % 8 == 0) {
                                linger();
                            }
                            here.add(number);
                        });
                        if (sent % 32 == 0) {
                            do { // more than a bound may not be on its way, however many processors the senders have
                                Thread.sleep(0, 50_000);
                            } while (wan.pending() > 50_000);
                        }
                    }
                    return sent;
                }));
            }
            WanMatrix delayed = WanMatrix.parse(
                    List.of("delay.here.dc0=1", "jitter.here.dc0=2", "jitter.here.dc1=1", "delay.here.dc2=0.1"));
            for (int change = 0; change < 300; change++) {
                wan.apply(change % 2 == 0 ? delayed : WanMatrix.NONE);
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 8));
            }
            ended.set(true);
            for (int sender = 0; sender < sending.size(); sender++) {
                int sent = sending.get(sender).get(60, TimeUnit.SECONDS);
                ConcurrentLinkedQueue<Integer> here = arrived.get(sender);
                for (int i = 0; i < 6_000 && here.size() < sent; i++) {
                    Thread.sleep(10);
                }
                assertThat(here).hasSize(sent);
                int next = 0;
                for (int number : here) {
                    assertThat(number).as("sender " + sender).isEqualTo(next++);
                }
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void eachOfTwoSendersToOnePlaceKeepsItsOrderHoweverTheyMeet() throws Exception {
        int messages = 60_000;
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try (WanEmulator wan = new WanEmulator(RANDOM, 2 * messages)) {
            wan.apply(WanMatrix.parse(List.of("delay.here.there=1", "jitter.here.there=5")));
            List<ConcurrentLinkedQueue<Integer>> arrived =
                    List.of(new ConcurrentLinkedQueue<>(), new ConcurrentLinkedQueue<>());
            List<Future<?>> sending = new ArrayList<>();
            for (ConcurrentLinkedQueue<Integer> here : arrived) {
                sending.add(threads.submit(() -> {
                    for (int n = 0; n < messages; n++) {
                        int number = n;
                        wan.submit("here", "there", () -> here.add(number));
                    }
                }));
            }
            for (Future<?> each : sending) {
                each.get(60, TimeUnit.SECONDS);
            }
            for (ConcurrentLinkedQueue<Integer> here : arrived) {
                for (int i = 0; i < 6_000 && here.size() < messages; i++) {
                    Thread.sleep(10);
                }
                assertThat(here).hasSize(messages);
                int next = 0;
                for (int number : here) {
                    assertThat(number).isEqualTo(next++);
                }
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** A delivery that takes its time is the easier overtaken. */
    private static void linger() {
        long untilNanos = System.nanoTime() + 10_000;
        while (System.nanoTime() - untilNanos < 0) {
            Thread.onSpinWait();
        }
    }
}
