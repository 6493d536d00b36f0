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
import org.junit.jupiter.api.Test;

/** The emulated network, used by several threads while its rules come and go. */
class WanThreadsTest {
    private static final int FLOWS = 3;
    private static final RandomGenerator RANDOM =
            () -> ThreadLocalRandom.current().nextLong();

    @Test
    void theMessagesOfOneFlowKeepTheirOrderWhileDelaysComeAndGo() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(FLOWS);
        AtomicBoolean ended = new AtomicBoolean();
        try (WanEmulator wan = new WanEmulator(RANDOM, 100_000)) {
            List<ConcurrentLinkedQueue<Integer>> arrived = new ArrayList<>();
            List<Future<Integer>> sending = new ArrayList<>();
            for (int flow = 0; flow < FLOWS; flow++) {
                ConcurrentLinkedQueue<Integer> here = new ConcurrentLinkedQueue<>();
                arrived.add(here);
                String to = "dc" + flow;
                sending.add(threads.submit(() -> {
                    int sent = 0;
                    for (; !ended.get() && sent < 1_000_000; sent++) {
                        int number = sent;
                        wan.submit("here", to, () -> here.add(number));
                        if (sent % 16 == 0) {
                            Thread.sleep(0, 50_000);
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
            for (int flow = 0; flow < FLOWS; flow++) {
                int sent = sending.get(flow).get(10, TimeUnit.SECONDS);
                ConcurrentLinkedQueue<Integer> here = arrived.get(flow);
                for (int i = 0; i < 500 && here.size() < sent; i++) {
                    Thread.sleep(10);
                }
                assertThat(here).hasSize(sent);
                int next = 0;
                for (int number : here) {
                    assertThat(number).as("flow " + flow).isEqualTo(next++);
                }
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
