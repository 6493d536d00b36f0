/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.meteorshower.transactions.port.Effect;

/**
 * Which keys of rows a range's server asks for at the tables. A key that is told may be of no row; but one that is not
 * told is taken for none, and it may have been forgotten below a K that the server has not heard of.
 */
final class KeyReads {
    private final Outbox outbox;
    private final Map<Long, ServerEffect.ReadKeys> asked = new TreeMap<>();

    /** What was told of these cannot be believed. */
    private final List<ServerEffect.ReadKeys> again = new ArrayList<>();

    KeyReads(Outbox outbox) {
        this.outbox = outbox;
    }

    void ask(Effect.ReadKeys wanted) {
        ServerEffect.ReadKeys read =
                new ServerEffect.ReadKeys(wanted.request(), wanted.range(), wanted.after(), wanted.most());
        asked.put(read.request(), read);
        outbox.emit(read);
    }

    /**
     * They have come. Returns whether they can be believed; if not, they are asked for once more.
     *
     * @param noted K as it was noted after they were read
     * @param executed all below are executed here
     */
    boolean come(long request, long noted, long executed) {
        ServerEffect.ReadKeys read = asked.get(request);
        if (read == null) {
            return false; // asked for before the server began anew
        } else if (isPassed(noted, executed)) {
            again.add(read);
            return false;
        }
        asked.remove(request);
        return true;
    }

    /** Whether K has passed this server, and it has not heard of that. */
    private static boolean isPassed(long noted, long executed) {
        return noted > executed;
    }

    /** Asks once more. */
    void tick() {
        again.forEach(outbox::emit);
        again.clear();
    }

    void clear() {
        asked.clear();
        again.clear();
    }
}
