/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.servers.ChainMessage.Backward;
import org.meteorshower.transactions.servers.ChainMessage.Forward;
import org.meteorshower.transactions.servers.ChainMessage.Handed;

/** What other ranges have handed to one, for transactions that have not ended there: maybe not begun either. */
final class Inbox {
    /** Of one transaction. */
    private static final class Box {
        private final Map<Integer, Forward> forwards = new TreeMap<>();
        private @Nullable Backward backward;
    }

    private final TreeMap<Long, Box> boxes = new TreeMap<>();
    private long bytes;

    long bytes() {
        return bytes;
    }

    void put(Forward forward) {
        Box box = boxes.computeIfAbsent(forward.version(), version -> new Box());
        count(forward, box.forwards.put(forward.from(), forward));
    }

    void put(Backward backward) {
        Box box = boxes.computeIfAbsent(backward.version(), version -> new Box());
        count(backward, box.backward);
        box.backward = backward;
    }

    private void count(Handed message, @Nullable Handed before) {
        bytes += message.weight() - (before == null ? 0 : before.weight());
    }

    /** Whether the range has told what its rows hold. */
    boolean hasForward(long version, int from) {
        Box box = boxes.get(version);
        return box != null && box.forwards.containsKey(from);
    }

    /** What the others' rows hold, as far as they have told. */
    Map<RowKey, Row> held(long version) {
        Map<RowKey, Row> held = new TreeMap<>();
        Box box = boxes.get(version);
        if (box != null) {
            box.forwards.values().forEach(forward -> held.putAll(forward.held()));
        }
        return held;
    }

    /** What is written here; null where that was not told yet. */
    @Nullable
    Backward backward(long version) {
        Box box = boxes.get(version);
        return box == null ? null : box.backward;
    }

    void ended(long version) {
        Box box = boxes.remove(version);
        if (box != null) {
            box.forwards.values().forEach(forward -> bytes -= forward.weight());
            bytes -= box.backward == null ? 0 : box.backward.weight();
        }
    }

    /** Those that are too many can be had again. */
    void dropFrom(long version) {
        while (!boxes.isEmpty() && boxes.lastKey() >= version) {
            ended(boxes.lastKey());
        }
    }

    /** Nothing before this version matters any more. */
    void dropBelow(long version) {
        while (!boxes.isEmpty() && boxes.firstKey() < version) {
            ended(boxes.firstKey());
        }
    }
}
