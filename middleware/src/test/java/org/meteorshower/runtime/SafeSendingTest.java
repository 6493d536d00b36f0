/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.NodeId;

final class SafeSendingTest {
    private static final NodeId PEER = NodeId.of(2);

    private final HandDisk disk = new HandDisk();
    private final List<Message> left = new ArrayList<>();
    private final SafeSending sending = new SafeSending(disk, new Silence() {
        @Override
        public void send(NodeId to, Message message) {
            left.add(message);
        }
    });

    @Test
    void aMessageLeavesWhenAllThatWasWrittenBeforeItIsSafe() {
        disk.written = 2;
        disk.safe = 1;
        sending.send(PEER, new Message.Pull(1));
        sending.release();
        assertThat(left).isEmpty();

        disk.safe = 2;
        sending.release();
        assertThat(left).containsExactly(new Message.Pull(1));
    }

    @Test
    void noMessageOvertakesAnother() {
        disk.written = 2;
        disk.safe = 1;
        sending.send(PEER, new Message.Pull(1));
        disk.safe = 2; // and nobody has been told yet
        sending.send(PEER, new Message.Pull(2));
        assertThat(left).isEmpty();
        sending.release();
        assertThat(left).containsExactly(new Message.Pull(1), new Message.Pull(2));
        sending.send(PEER, new Message.Pull(3));
        assertThat(left).hasSize(3);
    }

    @Test
    void whereNobodyIsToWaitNobodyDoes() {
        disk.written = 0;
        disk.safe = -1;
        sending.send(PEER, new Message.Pull(1));
        assertThat(left).hasSize(1);
    }

    @Test
    void aDiskThatStandsStillHoldsUpWhoSendsTooMuch() {
        disk.written = 1;
        for (int i = 0; i < SafeSending.MOST_HELD; i++) {
            sending.send(PEER, new Message.Pull(i));
        }
        assertThat(disk.awaited).isZero();
        sending.send(PEER, new Message.Pull(SafeSending.MOST_HELD));
        assertThat(disk.awaited).isEqualTo(1);
        assertThat(left).hasSize(SafeSending.MOST_HELD + 1);
    }

    /** It is safe when a test says so, or when somebody waits for it. */
    private static final class HandDisk implements Safety {
        private long written;
        private long safe;
        private int awaited;

        @Override
        public long written() {
            return written;
        }

        @Override
        public boolean isSafe(long number) {
            return number <= safe;
        }

        @Override
        public boolean await(long number, long deadlineNanos) {
            awaited++;
            safe = number;
            return true;
        }

        @Override
        public void tell(Runnable safer, Consumer<RuntimeException> failed) {}
    }
}
