/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.opinion;

import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.meteorshower.checker.History;
import org.meteorshower.checker.HistoryBuilder;
import org.meteorshower.checker.Operation;

/** Makes other histories of one. */
final class HistoryParts {
    private record Written(String key, String value) {}

    private HistoryParts() {}

    /** The same without the versions of its writes. */
    static History withoutVersions(History history) {
        HistoryBuilder builder = History.builder();
        for (int i = 0; i < history.size(); i++) {
            Operation op = history.get(i);
            builder.add(new Operation(
                    op.session(),
                    op.type(),
                    op.key(),
                    op.value(),
                    op.startNanos(),
                    op.endNanos(),
                    op.status(),
                    Operation.NO_VERSION));
        }
        return builder.build();
    }

    /**
     * These operations, and for each read of them the writes that it may have seen. If no order explains the part, none
     * explains the whole: an order of the whole with all else left out would explain the part.
     */
    static History closed(History history, List<Integer> operations) {
        BitSet part = new BitSet();
        operations.forEach(part::set);
        Map<Written, Integer> writers = new HashMap<>();
        Set<String> readAsNothing = new HashSet<>();
        for (int i = 0; i < history.size(); i++) {
            Operation op = history.get(i);
            String value = op.value();
            if (op.type() == Operation.Type.WRITE && value != null) {
                writers.put(new Written(op.key(), value), i);
            } else if (op.type() == Operation.Type.READ && value == null && part.get(i)) {
                readAsNothing.add(op.key());
            }
        }
        HistoryBuilder builder = History.builder();
        for (int i = 0; i < history.size(); i++) {
            Operation op = history.get(i);
            String value = op.value();
            if (op.type() == Operation.Type.READ && value != null && part.get(i)) {
                part.set(writers.getOrDefault(new Written(op.key(), value), i));
            } else if (op.type() == Operation.Type.WRITE && value == null && readAsNothing.contains(op.key())) {
                part.set(i);
            }
        }
        part.stream().forEach(i -> builder.add(history.get(i)));
        return builder.build();
    }
}
