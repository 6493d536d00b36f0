/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.meteorshower.transactions.chains.AtTurn;

/** What a transaction has asked other ranges at its turn, and how much they have told. */
final class Look {
    final AtTurn atTurn;

    /** By range, so many questions. */
    private final Map<Integer, Integer> asked = new TreeMap<>();

    /** By range that was asked this time, the number of the question. */
    private final Map<Integer, Integer> awaited = new TreeMap<>();

    /** By other range, what was gathered there, now and before. */
    private final Map<Integer, Long> bytes = new TreeMap<>();

    Look(AtTurn atTurn) {
        this.atTurn = atTurn;
    }

    /** One more is asked. Returns its number, from 0 on. */
    int ask(int other) {
        int number = asked(other);
        asked.put(other, number + 1);
        awaited.put(other, number);
        return number;
    }

    /** So many questions the range was asked. */
    int asked(int other) {
        return asked.getOrDefault(other, 0);
    }

    /** The ranges that were asked this time. */
    List<Integer> others() {
        return new ArrayList<>(awaited.keySet());
    }

    /** The number of what the range was asked this time. */
    int number(int other) {
        return awaited.getOrDefault(other, 0);
    }

    /** One of those that were asked has told. */
    void told(ChainMessage.Told told) {
        told.rows().forEach(atTurn::hold);
        bytes.put(told.from(), told.bytes());
    }

    /** All have told, and what was to be gathered in the turn's range was, of so many bytes now and before. */
    void gathered(long here) {
        awaited.clear();
        atTurn.gathered(
                here + bytes.values().stream().mapToLong(Long::longValue).sum());
    }
}
