/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.port.Event;
import org.meteorshower.transactions.port.Message;

class EventQueueTest {
    private final EventQueue queue = new EventQueue(3, 10_000);

    private static Event received(int entries) {
        return new Event.Received(1, new Message.Decided(0, 0, Collections.nCopies(entries, Entry.FILLER)));
    }

    @Test
    void whatIsTooMuchIsTurnedAwayAndTakenOnceThereIsRoom() {
        assertThat(queue.offer(received(1))).isTrue();
        assertThat(queue.offer(received(1_000))).isFalse();
        assertThat(queue.poll()).isNotNull();
        assertThat(queue.bytes()).isZero();
        assertThat(queue.poll()).isNull();
    }

    /** It would be asked for again and again, and never come. */
    @Test
    void whatIsLargerThanAllRoomIsTakenWhereNothingElseWaits() {
        Event large = received(1_000);
        assertThat(large.weight()).isGreaterThan(10_000);
        assertThat(queue.offer(large)).isTrue();
        assertThat(queue.offer(received(1))).isFalse();
        assertThat(queue.poll()).isSameAs(large);
        assertThat(queue.offer(received(1))).isTrue();
    }

    @Test
    void noMoreThanSoManyWait() {
        for (int i = 0; i < 3; i++) {
            assertThat(queue.offer(received(1))).isTrue();
        }
        assertThat(queue.offer(received(1))).isFalse();
        List.of(1, 2, 3).forEach(i -> assertThat(queue.poll()).isNotNull());
    }
}
