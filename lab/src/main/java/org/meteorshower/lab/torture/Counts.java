/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** How many there were of each kind. Thread-safe. */
final class Counts<K extends Comparable<K>> {
    private final int mostKinds;
    private final Map<K, LongAdder> byKind = new ConcurrentHashMap<>();

    /** @param mostKinds about so many are told apart; what is of none of them is not counted */
    Counts(int mostKinds) {
        this.mostKinds = mostKinds;
    }

    void add(K kind) {
        if (byKind.size() < mostKinds || byKind.containsKey(kind)) {
            byKind.computeIfAbsent(kind, none -> new LongAdder()).increment();
        }
    }

    long of(K kind) {
        LongAdder count = byKind.get(kind);
        return count == null ? 0 : count.sum();
    }

    /** Of all kinds that there were, in their order. */
    Map<K, Long> all() {
        Map<K, Long> sorted = new TreeMap<>();
        byKind.forEach((kind, count) -> sorted.put(kind, count.sum()));
        return sorted;
    }
}
