/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.Now;
import org.meteorshower.protocol.Recovery;
import org.meteorshower.protocol.ReplicaGroup;
import org.meteorshower.protocol.SequentialReads;
import org.meteorshower.protocol.Settings;
import org.meteorshower.runtime.journal.JournalOptions;
import org.meteorshower.runtime.journal.MappedJournal;
import org.meteorshower.runtime.journal.SyncPolicy;

/** A node at which nothing happens wakes up for its status messages only. */
class MeteorShowerDozesTest {
    private static final NodeId SELF = NodeId.of(1);
    private static final NodeId PEER = NodeId.of(2);
    private static final long MILLISECOND = 1_000_000;

    private final AtomicInteger woken = new AtomicInteger();
    private final AtomicLong nanos = new AtomicLong(1_000 * MILLISECOND);

    @TempDir
    private Path folder;

    @Test
    void aTickIsAskedForWhenAStatusMessageIsDueAndSoonerWhereAnAcknowledgementWaits() throws Exception {
        try (MappedJournal journal =
                MappedJournal.open(folder, Write.CODEC, new JournalOptions(64 << 10, 64L << 20, SyncPolicy.batch(1)))) {
            MeteorShower node = new MeteorShower(
                    new SequentialReads(
                            SELF, Settings.DEFAULTS, key -> ReplicaGroup.majority(SELF, PEER), Recovery.none(1)),
                    () -> new Now(nanos.get() / 1_000, nanos.get()), // a machine that is never late
                    journal,
                    new Silence(),
                    new EmptyStore(),
                    alarm -> {});
            node.wakeTickerWith(woken::incrementAndGet);
            node.peersChanged(Set.of(PEER));
            node.tableEnabled(Write.TABLE, true);
            node.received(PEER, new Message.Subscribe(1, 1, 1));

            long dozeNanos = node.tick();
            assertThat(dozeNanos).isBetween(2 * MILLISECOND, 10 * MILLISECOND);
            nanos.addAndGet(2 * MILLISECOND); // so that the answer to what follows can go at once
            node.received(PEER, new Message.Pull(2));
            assertThat(woken).hasValue(0);

            Write first = new Write(1);
            Write second = new Write(2);
            node.beforeApply(first);
            node.beforeApply(second);
            assertThat(woken)
                    .as("what is in flight is told when a message is due anyway")
                    .hasValue(0);

            nanos.addAndGet(MILLISECOND);
            node.afterApply(first.key(), first.id(), PEER, Event.Acknowledging.NO_RECEIPT);
            assertThat(woken).as("the first acknowledgement goes at once").hasValue(0);
            node.afterApply(second.key(), second.id(), PEER, Event.Acknowledging.NO_RECEIPT);
            assertThat(woken).as("the second may not follow so soon").hasValue(1);
            assertThat(node.tick()).isEqualTo(MILLISECOND);
            nanos.addAndGet(MILLISECOND);
            assertThat(node.tick()).isBetween(2 * MILLISECOND, 10 * MILLISECOND);
        }
    }
}
