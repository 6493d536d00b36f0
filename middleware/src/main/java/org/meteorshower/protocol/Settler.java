/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Completes mutations that did not reach every replica: sends them again, with their original timestamp, to the
 * replicas that lack them, or fetches them from one that announced them. What arrives so is stamped as any other
 * mutation, so it becomes visible only after every cut already used.
 */
final class Settler {
    private static final long LONGEST_PAUSE_MICROS = 30_000_000;
    private static final int PER_ROUND = 64;

    /** What was offered and is on its way into the store here; another offer of it meanwhile is not taken. */
    private static final long TAKEN_FOR_NANOS = 5_000_000_000L;

    /** So much is on its way to one node, and as much from all others here: more would only wait at its store. */
    private static final int UNDER_WAY = 256;

    private static final int MAX_TAKEN = 16_384;

    /** What is on its way into the store may take this part of what records may. */
    private static final int TAKEN_PART = 32;

    private final NodeId self;
    private final LiveSettings settings;
    private final Turn turn;
    private final StatusMap statusMap;
    private final Delays delays;
    private final MessageReceiver receiver;
    private final LeftBehind leftBehind;
    private final TableStates tables;
    private final RetiredNews news;
    private final Map<NodeId, Offers> offered = new TreeMap<>();
    private final Offers fetching = new Offers(UNDER_WAY);
    private int sentThisRound;

    private final Map<Message.RetiredMutation, Long> takenNanos = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Message.RetiredMutation, Long> eldest) {
            long fitting = settings.now().recordsBytes() / TAKEN_PART / Footprint.REMEMBERED;
            return size() > Math.min(MAX_TAKEN, fitting);
        }
    };

    Settler(
            NodeId self,
            LiveSettings settings,
            Turn turn,
            StatusMap statusMap,
            Delays delays,
            MessageReceiver receiver,
            LeftBehind leftBehind,
            TableStates tables,
            RetiredNews news) {
        this.self = self;
        this.settings = settings;
        this.turn = turn;
        this.statusMap = statusMap;
        this.delays = delays;
        this.receiver = receiver;
        this.leftBehind = leftBehind;
        this.tables = tables;
        this.news = news;
    }

    void newRound() {
        sentThisRound = 0;
        fetching.round(
                turn.nanos(), record -> isKept(record) && record.local == MutationRecord.Local.ABSENT, late -> {});
        offered.forEach((peer, offers) ->
                offers.round(turn.nanos(), record -> lacks(peer, record), late -> unanswered(peer, offers)));
        offered.keySet().retainAll(receiver.peers());
    }

    /**
     * The peer is heard, and says nothing of what it was offered long ago: it may have told of that before this node
     * forgot it and stamped it anew. A new stream tells of all that the peer has, once more.
     */
    private void unanswered(NodeId peer, Offers offers) {
        if (receiver.isHeard(peer) && offers.takeLeaveToAsk(turn.nanos())) {
            receiver.askAnew(peer);
        }
    }

    private static boolean isKept(MutationRecord record) {
        return record.partition != null;
    }

    private static boolean lacks(NodeId peer, MutationRecord record) {
        int member = record.group().indexOf(peer);
        return isKept(record) && member >= 0 && !record.isAppliedAt(member);
    }

    private Offers offeredTo(NodeId peer) {
        return offered.computeIfAbsent(peer, each -> new Offers(UNDER_WAY));
    }

    void settleIfDue(MutationRecord record) {
        if (record.nextSettleNanos == 0) {
            // The holders take turns, so that not all of them send the same.
            record.nextSettleNanos = record.createdNanos + 1_000 * pauseMicros() * (1 + rank(record));
        }
        if (turn.nanos() - record.nextSettleNanos < 0 || sentThisRound >= PER_ROUND) {
            return;
        }
        long pauseMicros = pauseMicros();
        boolean sent = record.local == MutationRecord.Local.ABSENT ? fetch(record) : sendToThoseWithout(record);
        if (sent) {
            record.settleAttempts = Math.min(record.settleAttempts + 1, 16);
        }
        // Who cannot be heard will be back: that no offer could be made is no reason to wait longer for the next one.
        long nextMicros = sent
                ? Math.min(LONGEST_PAUSE_MICROS, pauseMicros << Math.min(record.settleAttempts, 7))
                : pauseMicros * (1 + rank(record));
        record.nextSettleNanos = turn.nanos() + 1_000 * nextMicros;
    }

    private long pauseMicros() {
        return Math.max(settings.now().settleAfterMicros(), 3 * delays.longestMicros());
    }

    private int rank(MutationRecord record) {
        int rank = 0;
        for (int i = 0; i < record.group().size(); i++) {
            NodeId member = record.group().members().get(i);
            if (member.equals(self)) {
                return rank;
            }
            if (record.isAppliedAt(i) && receiver.isLive(member)) {
                rank++;
            }
        }
        return rank;
    }

    private boolean sendToThoseWithout(MutationRecord record) {
        boolean sent = false;
        if (record.local == MutationRecord.Local.ABSENT || record.dominatedByRetired) {
            return false;
        }
        for (int i = 0; i < record.group().size(); i++) {
            NodeId member = record.group().members().get(i);
            if (!record.isAppliedAt(i)
                    && !member.equals(self)
                    && !leftBehind.isTurnedAway(member)
                    && receiver.silentForMicros(member) < settings.now().streamTimeoutMicros()
                    && offeredTo(member).hasRoom()) {
                send(member, record);
                offeredTo(member).add(record, turn.nanos());
                sentThisRound++;
                sent = true;
            }
        }
        return sent;
    }

    private void send(NodeId to, MutationRecord record) {
        Update update = record.update();
        if (update == null) {
            turn.emit(new Effect.SettleFromJournal(to, turn.tick(), record.key, record.id));
        } else {
            turn.send(to, new Message.Settle(turn.tick(), update));
        }
    }

    private boolean fetch(MutationRecord record) {
        if (!fetching.hasRoom()) {
            return false;
        }
        NodeId nearest = null;
        for (int i = 0; i < record.group().size(); i++) {
            NodeId member = record.group().members().get(i);
            if (record.isAppliedAt(i)
                    && receiver.silentForMicros(member) < settings.now().streamTimeoutMicros()
                    && (nearest == null || delays.oneWayMicros(member) < delays.oneWayMicros(nearest))) {
                nearest = member;
            }
        }
        if (nearest == null) {
            return false;
        }
        turn.send(nearest, new Message.Fetch(turn.tick(), record.key, record.id));
        fetching.add(record, turn.nanos());
        sentThisRound++;
        return true;
    }

    void settle(NodeId sender, Message.Settle message) {
        Update update = message.update();
        if (!tables.isEnabled(update.key().table())) {
            return; // this node is to go over to that name yet: by none that it knows now would it be stamped so
        }
        MutationRecord record = statusMap.find(update.key(), update.id());
        if (record == null && statusMap.retiredBy(update.key(), update.id()) != null) {
            news.add(sender, update.key(), update.id());
        } else if ((record == null || record.local == MutationRecord.Local.ABSENT) && take(update)) {
            turn.emit(new Effect.ApplyToStore(update));
        }
    }

    /** Whether this offer is to be applied; not where the same was of late, which is on its way. */
    private boolean take(Update update) {
        var name = new Message.RetiredMutation(update.key(), update.id());
        Long taken = takenNanos.get(name);
        if (taken != null && turn.nanos() - taken < TAKEN_FOR_NANOS) {
            return false;
        }
        takenNanos.remove(name); // so that it becomes the youngest
        takenNanos.put(name, turn.nanos());
        return true;
    }

    long takenBytes() {
        return (long) Footprint.REMEMBERED * takenNanos.size();
    }

    void fetched(NodeId asker, Message.Fetch message) {
        MutationRecord record = statusMap.find(message.key(), message.id());
        if (record != null && record.local != MutationRecord.Local.ABSENT) {
            send(asker, record);
        } else if (record == null && !leftBehind.contains(asker) && isDoneWith(message.key(), message.id())) {
            news.add(asker, message.key(), message.id());
        }
    }

    /**
     * Who asks has it from this node's own announcement, and what was announced is forgotten only when retired; or with
     * the table's name, and then it is in the baseline, once there is one.
     */
    private boolean isDoneWith(PartitionKey key, MutationId id) {
        return tables.filling.knowsAllItStamped(key.table()) || statusMap.retiredBy(key, id) != null;
    }
}
