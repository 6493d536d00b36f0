/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meteorshower.driver.JournalWriter;
import org.meteorshower.driver.Ports;
import org.meteorshower.protocol.Effect;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.Now;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Update;

/**
 * The world of a node: its clocks, journal, transport and store. Called under the node's lock, but for {@link #now}.
 */
final class NodePorts implements Ports {
    private final Clock clock;
    private final Journal journal;
    private final Transport transport;
    private final SafeSending sending;
    private final Store store;
    private final AlarmListener alarms;
    private final JournalReads journalReads;
    private volatile @Nullable Filler filler;
    private volatile @Nullable Answers answers;
    private Runnable wakeTimer = () -> {};

    NodePorts(Clock clock, Journal journal, Transport transport, Store store, AlarmListener alarms) {
        this.clock = clock;
        this.journal = journal;
        this.transport = transport;
        this.store = store;
        this.alarms = alarms;
        this.sending = new SafeSending(journal.safety(), transport);
        this.journalReads = new JournalReads(alarms);
    }

    /** More is safe in the journal than before: what waited for that leaves. */
    void safer() {
        sending.release();
    }

    void fillWith(Filler bringer) {
        filler = bringer;
    }

    void answerWith(Answers by) {
        answers = by;
    }

    /** Not under the lock. */
    void received(NodeId from, Message message) {
        Answers by = answers;
        if (by != null && !message.receipts().isEmpty()) {
            by.arrived(from, message.receiverIncarnation(), message.receipts());
        }
    }

    void wakeTimerWith(Runnable wake) {
        wakeTimer = wake;
    }

    @Override
    public Now now() {
        return clock.now();
    }

    @Override
    public JournalWriter journal() {
        return journal;
    }

    @Override
    public void send(NodeId to, Message message) {
        sending.send(to, message);
    }

    @Override
    public void receiptReturned(NodeId coordinator, long receipt) {
        Answers by = answers;
        if (by != null) {
            by.returned(coordinator, receipt);
        }
    }

    @Override
    public void apply(Update update) {
        store.apply(update);
    }

    @Override
    public void readBack(PartitionKey key, MutationId id, Consumer<Update> then) {
        journalReads.read(journal.reading(key, id), then);
    }

    @Override
    public void fill(long number, List<NodeId> sources) {
        Filler bringer = filler;
        if (bringer != null) {
            bringer.fill(number, sources);
        }
    }

    @Override
    public void alarm(Effect.Alarm alarm) {
        alarms.alarm(alarm);
    }

    @Override
    public void wakeTimer() {
        wakeTimer.run();
    }

    /** Peers are told nothing more. */
    @Override
    public void stopped(RuntimeException cause) {
        journalReads.close();
        // On a thread of its own: this one may be the transport's, and closing waits for those.
        Thread closer = new Thread(transport::close, "MeteorShower-Stop");
        closer.setDaemon(true);
        closer.start();
        alarms.alarm(new Effect.Alarm(
                Effect.AlarmKind.STOPPED,
                "MeteorShower has stopped on this node and serves nothing until the node is restarted: " + cause));
    }
}
