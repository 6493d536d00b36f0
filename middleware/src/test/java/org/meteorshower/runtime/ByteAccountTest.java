/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class ByteAccountTest {
    private final ByteAccount account = new ByteAccount(100);

    @Test
    void whatFitsIsTakenAndTheRestIsNot() {
        assertThat(account.take(60)).isTrue();
        assertThat(account.take(40)).isTrue();
        assertThat(account.take(1)).isFalse();
        account.giveBack(40);
        assertThat(account.take(41)).isFalse();
        assertThat(account.take(40)).isTrue();
        assertThat(account.used()).isEqualTo(100);
        assertThat(account.timesFull()).isEqualTo(2);
    }

    @Test
    void whatIsTooLargeForTheWholeGoesAlone() {
        assertThat(account.take(1)).isTrue();
        assertThat(account.take(1_000)).isFalse();
        account.giveBack(1);
        assertThat(account.take(1_000)).isTrue();
        assertThat(account.take(1)).isFalse();
        assertThat(account.take(Long.MAX_VALUE)).isFalse();
    }

    @Test
    void whatIsGivenBackTwiceIsAMistake() {
        assertThatThrownBy(() -> account.giveBack(1)).isInstanceOf(IllegalStateException.class);
        assertThat(account.used()).isZero();
    }

    @Test
    void threadsTogetherHoldNoMoreThanTheLimit() throws InterruptedException {
        AtomicLong most = new AtomicLong();
        List<Thread> threads = new ArrayList<>();
        for (int each = 0; each < 4; each++) {
            SplittableRandom random = new SplittableRandom(each);
            Thread thread = new Thread(() -> {
                // On until two held some at the same time: threads may run one after another, for as long as they like.
                for (int round = 0; round < 20_000 || (most.get() < 60 && round < 50_000_000); round++) {
                    int bytes = random.nextInt(1, 60);
                    if (account.take(bytes)) {
                        most.accumulateAndGet(account.used(), Math::max);
                        account.giveBack(bytes);
                    }
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(most.get()).isBetween(60L, 100L);
        assertThat(account.used()).isZero();
    }
}
