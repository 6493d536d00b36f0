/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.meteorshower.transactions.log.Version;
import org.meteorshower.transactions.servers.ChainMessage.Handed;

/** Hands messages to other ranges and to the sequencer, and keeps them for who asks again. */
final class Handing {
    /** Messages that are handed once more in one answer. */
    private static final int MOST_AGAIN = 256;

    private final Outbox outbox;
    private final KeptMessages kept;

    /** How far others are, as far as is known here: may be behind, or said of a server that has been replaced. */
    private final Map<Integer, Long> executed = new HashMap<>();

    Handing(Outbox outbox, long mostBytes) {
        this.outbox = outbox;
        this.kept = new KeptMessages(mostBytes);
    }

    long bytes() {
        return kept.bytes();
    }

    /** The sequencer has told how far all are. */
    void heard(ChainMessage.Slices slices) {
        executed.put(ChainMessage.SEQUENCER, slices.answered());
        for (int range = 0; range < slices.executed().size(); range++) {
            executed.put(range, slices.executed().get(range));
        }
    }

    private long executed(int receiver) {
        return executed.getOrDefault(receiver, 0L);
    }

    /** Whether all ranges but one have executed all below a count, as far as is known. */
    boolean haveExecuted(long count, int butOne) {
        return executed.entrySet().stream()
                .allMatch(each -> each.getKey() < 0 || each.getKey() == butOne || each.getValue() >= count);
    }

    /** Tells it, and keeps it. Where the receiver is known to be further it will ask, if it was not. */
    void hand(Handed message) {
        kept.keep(message);
        if (message.version() >= Version.of(executed(message.to()), 0)) {
            outbox.send(message.to(), message);
        }
    }

    /** Hands what is asked for once more. Returns whether all that was is here; if not, nothing is handed. */
    boolean again(ChainMessage.Again asked) {
        executed.merge(asked.from(), asked.count(), Math::min);
        if (!kept.hasAll(asked.from(), asked.count())) {
            return false;
        }
        Iterator<Handed> its = kept.from(asked.from(), asked.count()).iterator();
        for (int left = MOST_AGAIN; left > 0 && its.hasNext(); left--) {
            outbox.send(asked.from(), its.next());
        }
        return true;
    }

    /** K has come to this count. */
    void passed(long done) {
        kept.passed(done);
    }

    /** Lets go of what takes too much, and may. */
    void trim() {
        kept.trim(this::executed);
    }

    /** All from K on will be handed once more. */
    void beginAnew() {
        kept.beginAnew();
    }
}
