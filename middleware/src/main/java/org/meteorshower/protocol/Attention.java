/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

/**
 * Keeps the peers' status messages coming at Δ while somebody here needs them. Where clients read or write, or
 * mutations are in flight, a node pulls from all its peers, at once and then from time to time; who is not pulled from
 * for a while sends at the rest interval.
 *
 * <p>Costs latency only: cuts of a node that rests are older, and a read there that needs a newer one waits for a round
 * trip.
 */
final class Attention {
    /** How long a pull is heeded. */
    static final long HELD_NANOS = 1_000_000_000L;

    /** Two may be lost before it shows. */
    private static final long REPEATED_AFTER_NANOS = HELD_NANOS * 3 / 10;

    private final LiveSettings settings;
    private final Turn turn;
    private final MessageReceiver receiver;
    private boolean pulled;
    private long pulledNanos;

    Attention(LiveSettings settings, Turn turn, MessageReceiver receiver) {
        this.settings = settings;
        this.turn = turn;
        this.receiver = receiver;
    }

    private boolean anybodyRests() {
        return settings.now().restIntervalMicros() > settings.now().dispatchIntervalMicros();
    }

    /** Somebody here needs, or soon will, what the peers have applied. */
    void needed() {
        if (!anybodyRests() || (pulled && turn.nanos() - pulledNanos < REPEATED_AFTER_NANOS)) {
            return;
        }
        pulled = true;
        pulledNanos = turn.nanos();
        for (NodeId peer : receiver.peers()) {
            turn.send(peer, new Message.Pull(turn.tick()));
        }
    }
}
