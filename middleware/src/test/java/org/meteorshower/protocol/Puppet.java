/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/** A peer whose every message the test writes itself, towards one real node. */
final class Puppet {
    final NodeId id;
    private final ScriptedNode node;
    private final Deque<List<Announcement>> payloads = new ArrayDeque<>();
    long incarnation = 1;
    StreamId stream;
    long seq;
    int redundancy;

    Puppet(ScriptedNode node, int number) {
        this.node = node;
        this.id = NodeId.of(number);
    }

    /**
     * A node numbered 1, real, started, with the table enabled; its peers are puppets of which nothing was heard yet.
     */
    static ScriptedNode loneNode(TestSettings settings) {
        ScriptedCluster cluster = ScriptedCluster.unstarted(3, 2, settings);
        ScriptedNode node = cluster.node(1);
        node.start(Recovery.none(1));
        node.step(new Event.TableEnabled(Put.TABLE, true));
        return node;
    }

    static Announcement applied(Put put, long appliedMicros) {
        return Announcement.of(put, appliedMicros);
    }

    /** Reports the table and answers the last request for a stream: coverage begins at this cut. */
    Puppet begin(long snapshotMicros, Announcement... snapshot) {
        reportTable();
        takeRequest();
        snapshotPart(snapshotMicros, 0, 1, snapshot);
        return this;
    }

    void reportTable() {
        reportTable(false);
    }

    /** As one that has heard what the node asked it for. */
    void reportTable(boolean left) {
        List<Message.Subscribe> requests = requests();
        Message.Subscribe last =
                requests.isEmpty() ? new Message.Subscribe(0, 0, 0) : requests.get(requests.size() - 1);
        tell(new Message.Tables(
                hlc(),
                incarnation,
                last.incarnation(),
                last.number(),
                List.of(new Message.TableReport(
                        Put.TABLE, ScriptedCluster.START_MICROS, true, left, true, false, 0, false))));
    }

    /** Names the stream after the node's last request. */
    void takeRequest() {
        List<Message.Subscribe> requests = requests();
        Message.Subscribe last = requests.get(requests.size() - 1);
        stream = new StreamId(incarnation, last.incarnation(), last.number());
        seq = 0;
        payloads.clear();
    }

    List<Message.Subscribe> requests() {
        return sentToMe(Message.Subscribe.class);
    }

    <M extends Message> List<M> sentToMe(Class<M> type) {
        return node.cluster.sent(1, (int) id.value().getLeastSignificantBits(), type);
    }

    void snapshotPart(long snapshotMicros, int part, int parts, Announcement... applied) {
        tell(new Message.Snapshot(
                Math.max(hlc(), snapshotMicros), stream, snapshotMicros, part, parts, Arrays.asList(applied)));
    }

    /** Sends the stream's next message. */
    void status(long msgTsMicros, Announcement... payload) {
        tell(next(msgTsMicros, payload));
    }

    /** The stream's next message, not sent. */
    Message.StatusMessage next(long msgTsMicros, Announcement... payload) {
        List<List<Announcement>> redundant = new ArrayList<>();
        payloads.stream().limit(redundancy).forEach(redundant::add);
        payloads.addFirst(Arrays.asList(payload));
        return new Message.StatusMessage(
                Math.max(hlc(), msgTsMicros),
                stream,
                ++seq,
                msgTsMicros,
                Arrays.asList(payload),
                redundant,
                null,
                -1,
                new Message.Echo(0, 0, 0, 0));
    }

    List<Effect> tell(Message message) {
        return node.receive(id, message);
    }

    private long hlc() {
        return ScriptedCluster.START_MICROS;
    }
}
