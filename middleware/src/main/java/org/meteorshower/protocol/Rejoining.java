/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Brings this node back where peers have left it behind. They are asked to wait for it again; once they do, and their
 * streams tell of all that is in flight from then on, the store is filled from each of them with what they hold: with
 * it comes all that they had retired before. Then their streams cover cuts again. An attempt that comes to nothing is
 * followed by another one, after a pause.
 *
 * <p>Each peer is a source: what it has retired without this node is in its own store, so no other one needs to be
 * known to have it.
 */
final class Rejoining {
    private static final long REPEAT_NANOS = 1_000_000_000L;
    private static final long LEAST_PAUSE_NANOS = 5_000_000_000L;
    private static final long LONGEST_PAUSE_NANOS = 300_000_000_000L;

    /** In stream time-outs: how long the peers may take for each step. */
    private static final int PATIENCE = 10;

    private enum Step {
        NONE,
        /** The peers are asked to wait. */
        ASKING,
        FILLING,
        /** The peers are told. */
        TELLING
    }

    private final long incarnation;
    private final LiveSettings settings;
    private final Turn turn;
    private final MessageReceiver receiver;

    /** Whom this attempt is about; since when each waits, 0 before it has said so. */
    private final Map<NodeId, Long> sources = new TreeMap<>();

    private Step step = Step.NONE;
    private long number;
    private long sentNanos;
    private long stepNanos;
    private long pausedUntilNanos = Long.MIN_VALUE;
    private long pauseNanos = LEAST_PAUSE_NANOS;

    Rejoining(long incarnation, LiveSettings settings, Turn turn, MessageReceiver receiver) {
        this.incarnation = incarnation;
        this.settings = settings;
        this.turn = turn;
        this.receiver = receiver;
    }

    /** Begins an attempt where there is need for one. */
    void comeBack() {
        if (step != Step.NONE || (pausedUntilNanos != Long.MIN_VALUE && turn.nanos() - pausedUntilNanos < 0)) {
            return;
        }
        sources.clear();
        for (NodeId peer : receiver.peers()) {
            if (receiver.isLeftBehindBy(peer) && receiver.isHeard(peer)) {
                sources.put(peer, 0L);
            }
        }
        if (!sources.isEmpty()) {
            number++;
            enter(Step.ASKING);
        }
    }

    void tick() {
        if (step == Step.ASKING) {
            sources.keySet().removeIf(peer -> !receiver.isHeard(peer));
            if (sources.isEmpty()) {
                giveUp();
            } else if (sources.entrySet().stream()
                    .allMatch(source -> source.getValue() > 0 && receiver.isLive(source.getKey()))) {
                fill();
            } else {
                repeat();
            }
        } else if (step == Step.TELLING) {
            repeat();
        }
    }

    /** From those that this node has not been filled from since they wait: word of it may be all that was lost. */
    private void fill() {
        List<NodeId> lacking = new ArrayList<>();
        sources.forEach((peer, awaitedMicros) -> {
            if (receiver.filledMicros(peer) != awaitedMicros) {
                lacking.add(peer);
            }
        });
        if (lacking.isEmpty()) {
            enter(Step.TELLING);
        } else {
            stepTo(Step.FILLING);
            turn.emit(new Effect.FillFrom(number, lacking));
        }
    }

    private void repeat() {
        if (turn.nanos() - stepNanos > PATIENCE * 1_000 * settings.now().streamTimeoutMicros()) {
            giveUp();
        } else if (turn.nanos() - sentNanos >= REPEAT_NANOS) {
            send();
        }
    }

    private void enter(Step next) {
        stepTo(next);
        send();
    }

    private void stepTo(Step next) {
        step = next;
        stepNanos = turn.nanos();
    }

    private void send() {
        sentNanos = turn.nanos();
        sources.forEach((peer, awaitedMicros) -> {
            if (step == Step.TELLING || awaitedMicros == 0) {
                turn.send(
                        peer,
                        new Message.Returning(
                                turn.tick(), incarnation, number, step == Step.TELLING ? awaitedMicros : 0));
            }
        });
    }

    /** A peer waits for this node, or has taken it back. */
    void awaited(NodeId from, Message.Awaited message) {
        Long known = sources.get(from);
        if (known == null || message.incarnation() != incarnation || message.number() != number) {
            return;
        }
        if (step == Step.ASKING) {
            sources.put(from, message.awaitedMicros());
        } else if (step == Step.TELLING && known == message.awaitedMicros() && message.admitted()) {
            receiver.admittedBy(from);
            sources.remove(from);
            if (sources.isEmpty()) {
                stepTo(Step.NONE);
                pauseNanos = LEAST_PAUSE_NANOS;
            }
        }
    }

    /** A peer's promise does not stand any more: another round, without waiting for the others' answers. */
    void refused(NodeId from, Message.Stale message) {
        if (step == Step.TELLING && sources.containsKey(from) && message.incarnation() == incarnation) {
            giveUp();
        }
    }

    /** The host has ended what it was told to do. */
    void filled(Event.Filled filled) {
        if (step != Step.FILLING || filled.number() != number) {
            return;
        }
        if (filled.complete()) {
            sources.forEach(receiver::filled);
            enter(Step.TELLING);
        } else {
            giveUp();
        }
    }

    private void giveUp() {
        step = Step.NONE;
        pausedUntilNanos = turn.nanos() + pauseNanos;
        pauseNanos = Math.min(LONGEST_PAUSE_NANOS, 2 * pauseNanos);
    }
}
