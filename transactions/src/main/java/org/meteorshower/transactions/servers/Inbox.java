/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.servers.ChainMessage.Ask;
import org.meteorshower.transactions.servers.ChainMessage.Backward;
import org.meteorshower.transactions.servers.ChainMessage.Forward;
import org.meteorshower.transactions.servers.ChainMessage.Handed;
import org.meteorshower.transactions.servers.ChainMessage.Told;

/** What other ranges have handed to one, for transactions that have not ended there: maybe not begun either. */
final class Inbox {
    /** Of one transaction. */
    private static final class Box {
        private final Map<Integer, Forward> forwards = new TreeMap<>();
        private @Nullable Backward backward;

        /** By number. */
        private final TreeMap<Integer, Ask> asks = new TreeMap<>();

        private final List<Told> answers = new ArrayList<>();

        long bytes() {
            long bytes = backward == null ? 0 : backward.weight();
            for (Handed each : forwards.values()) {
                bytes += each.weight();
            }
            for (Handed each : asks.values()) {
                bytes += each.weight();
            }
            for (Handed each : answers) {
                bytes += each.weight();
            }
            return bytes;
        }

        @Nullable
        Told told(int from, int number) {
            for (Told each : answers) {
                if (each.from() == from && isTo(each, number)) {
                    return each;
                }
            }
            return null;
        }

        private static boolean isTo(Told told, int number) {
            return told.number() == number;
        }
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

    void put(Ask ask) {
        Box box = boxes.computeIfAbsent(ask.version(), version -> new Box());
        count(ask, box.asks.put(ask.number(), ask));
    }

    void put(Told told) {
        Box box = boxes.computeIfAbsent(told.version(), version -> new Box());
        if (box.told(told.from(), told.number()) == null) {
            box.answers.add(told);
            count(told, null);
        }
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

    /** What the turn's range asks; null where it has not come. */
    @Nullable
    Ask ask(long version, int number) {
        Box box = boxes.get(version);
        return box == null ? null : box.asks.get(number);
    }

    /** What another range has answered; null where it has not come. */
    @Nullable
    Told told(long version, int from, int number) {
        Box box = boxes.get(version);
        return box == null ? null : box.told(from, number);
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
            bytes -= box.bytes();
        }
    }

    /**
     * Those that are too many can be had again.
     *
     * @param dropped told of which transactions some were dropped
     */
    void dropFrom(long version, LongConsumer dropped) {
        while (!boxes.isEmpty() && boxes.lastKey() >= version) {
            long last = boxes.lastKey();
            ended(last);
            dropped.accept(last);
        }
    }

    /** Nothing before this version matters any more. */
    void dropBelow(long version) {
        while (!boxes.isEmpty() && boxes.firstKey() < version) {
            ended(boxes.firstKey());
        }
    }
}
