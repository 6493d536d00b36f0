/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.meteorshower.driver.MutationRefusedException;
import org.meteorshower.driver.StoppedException;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Recovery;
import org.meteorshower.protocol.ReplicaGroup;
import org.meteorshower.protocol.SequentialReads;
import org.meteorshower.protocol.Settings;
import org.meteorshower.protocol.Update;

/** What cannot be journaled is neither applied nor announced, and nothing after it. */
class MeteorShowerStopsTest {
    private static final NodeId SELF = NodeId.of(1);
    private static final NodeId PEER = NodeId.of(2);

    private final List<Message> sent = new ArrayList<>();
    private final List<String> alarms = new ArrayList<>();
    private boolean diskFull;
    private @Nullable OutOfMemoryError outOfMemory;
    private @Nullable String noRoom;
    private final CountDownLatch transportClosed = new CountDownLatch(1);

    private final MeteorShower node = new MeteorShower(
            new SequentialReads(SELF, Settings.DEFAULTS, key -> ReplicaGroup.majority(SELF, PEER), Recovery.none(1)),
            Clock.system(),
            new FailingJournal(),
            new RecordingTransport(),
            new EmptyStore(),
            alarm -> alarms.add(alarm.kind() + " " + alarm.detail()));

    @Test
    void aMutationThatCannotBeJournaledIsRefusedAndNotAnnounced() throws Exception {
        node.peersChanged(Set.of(PEER));
        node.tableEnabled(Write.TABLE, true);
        node.received(PEER, new Message.Subscribe(1, 1, 1));
        assertThat(node.beforeApply(new Write(1))).isTrue();
        int before = sent.size();

        diskFull = true;
        assertThatThrownBy(() -> node.beforeApply(new Write(2)))
                .isInstanceOf(StoppedException.class)
                .hasMessageContaining("no space left");

        for (int i = 0; i < 100; i++) {
            node.tick();
            node.received(PEER, new Message.Pull(2));
        }
        assertThat(sent).hasSize(before);
        assertThat(transportClosed.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(node.isRunning()).isFalse();
        assertThat(alarms).singleElement().asString().contains("STOPPED", "no space left");
    }

    /** Whatever it was doing, it may have done half of it. */
    @Test
    void aNodeThatRunsOutOfMemoryInAStepStopsAndSaysSo() throws Exception {
        node.tableEnabled(Write.TABLE, true);
        outOfMemory = new OutOfMemoryError("on purpose");

        assertThatThrownBy(() -> node.beforeApply(new Write(1))).isSameAs(outOfMemory);

        assertThat(node.isRunning()).isFalse();
        assertThat(alarms).singleElement().asString().contains("STOPPED", "on purpose");
        assertThatThrownBy(() -> node.beforeApply(new Write(2))).isInstanceOf(StoppedException.class);
        assertThat(transportClosed.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aStoppedNodeRefusesReadsAndWrites() throws Exception {
        node.tableEnabled(Write.TABLE, true);
        diskFull = true;
        assertThatThrownBy(() -> node.beforeApply(new Write(1))).isInstanceOf(StoppedException.class);
        PartitionKey key = new Write(1).key();
        assertThatThrownBy(() -> node.beginWrite(List.of(key), 0, false, Long.MAX_VALUE))
                .isInstanceOf(StoppedException.class);
        assertThatThrownBy(() -> node.read(
                        key,
                        ReplicaGroup.majority(SELF, PEER),
                        Update.ANY_ROW,
                        0,
                        org.meteorshower.protocol.ReadMode.SEQUENTIAL,
                        System.nanoTime() + 1_000_000_000L,
                        (cut, overlay) -> "unread"))
                .isInstanceOf(StoppedException.class);
    }

    @Test
    void aMutationForWhichTheJournalHasNoRoomIsRefusedForNowAndTheNodeGoesOn() throws Exception {
        node.peersChanged(Set.of(PEER));
        node.tableEnabled(Write.TABLE, true);
        assertThat(node.beforeApply(new Write(1))).isTrue();
        int before = sent.size();

        noRoom = "the journal has reached its limit";
        assertThatThrownBy(() -> node.beforeApply(new Write(2)))
                .isInstanceOf(MutationRefusedException.class)
                .hasMessage("the journal has reached its limit")
                .matches(refused -> ((MutationRefusedException) refused).isForNow());
        assertThatThrownBy(() -> node.beginWrite(List.of(Write.KEY), 0, false, Long.MAX_VALUE))
                .isInstanceOf(RequestRefusedException.class)
                .hasMessageContaining("its limit");
        assertThat(sent).hasSize(before);

        noRoom = null;
        assertThat(node.beforeApply(new Write(2))).isTrue();
        assertThat(node.isRunning()).isTrue();
        assertThat(alarms).isEmpty();
    }

    /** It takes no room; and what is not acknowledged again is never retired, so the journal would stay full. */
    @Test
    void aMutationThatWasStampedBeforeIsTakenWithoutRoom() throws Exception {
        node.tableEnabled(Write.TABLE, true);
        assertThat(node.beforeApply(new Write(1))).isTrue();

        noRoom = "the journal has reached its limit";

        assertThat(node.beforeApply(new Write(1))).isTrue();
    }

    private final class RecordingTransport implements Transport {
        @Override
        public void send(NodeId to, Message message) {
            sent.add(message);
        }

        @Override
        public CompletableFuture<byte[]> call(NodeId to, byte[] request, Duration timeout) {
            return CompletableFuture.failedFuture(new CallFailedException("no calls here"));
        }

        @Override
        public void close() {
            transportClosed.countDown();
        }
    }

    private final class FailingJournal implements Journal {
        @Override
        public Contents contents() {
            return new Contents(1, 0, List.of(), List.of(), List.of());
        }

        @Override
        public @Nullable String obstacle(Update update) {
            return noRoom;
        }

        @Override
        public @Nullable String obstacle() {
            return noRoom;
        }

        @Override
        public void applied(Update update, long appliedMicros) {
            if (outOfMemory != null) {
                throw outOfMemory;
            }
            if (diskFull) {
                throw new IllegalStateException("no space left");
            }
        }

        @Override
        public void retired(PartitionKey key, MutationId id) {}

        @Override
        public void ceiling(long ceilingMicros) {}

        @Override
        public void table(TableState state) {}

        @Override
        public void tableDropped(UUID table) {}

        @Override
        public void stale(NodeId peer, boolean stale) {}

        @Override
        public void close() {}
    }
}
