/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.PartitionKey;

/**
 * Keeps the operations until the run is over. The cells of one mutation are writes without an order among themselves; a
 * history wants one, and the order in which they took effect is known only at the end.
 */
final class Recorder {
    private record Entry(
            boolean write,
            String session,
            PartitionKey key,
            int cell,
            @Nullable String value,
            long startNanos,
            long endNanos,
            long timestampMicros) {}

    private final List<List<Entry>> groups = new ArrayList<>();

    void begin() {
        groups.add(new ArrayList<>(2));
    }

    void read(String session, PartitionKey key, int cell, @Nullable String value, long startNanos, long endNanos) {
        last().add(new Entry(false, session, key, cell, value, startNanos, endNanos, 0));
    }

    void write(
            String session,
            PartitionKey key,
            int cell,
            @Nullable String value,
            long startNanos,
            long endNanos,
            long timestampMicros) {
        last().add(new Entry(true, session, key, cell, value, startNanos, endNanos, timestampMicros));
    }

    private List<Entry> last() {
        return groups.get(groups.size() - 1);
    }

    void tell(OperationSink sink, Oracle oracle) {
        for (List<Entry> group : groups) {
            if (group.size() > 1 && group.get(0).write()) {
                group.sort(Comparator.comparingLong(
                        e -> oracle.position(e.key, e.cell, new Cell(e.timestampMicros, e.value))));
            }
            for (Entry e : group) {
                String cell = e.key.bytes()[0] * 256 + e.key.bytes()[1] + "/" + e.cell;
                if (e.write) {
                    sink.write(e.session, cell, e.value, e.startNanos, e.endNanos, e.timestampMicros);
                } else {
                    sink.read(e.session, cell, e.value, e.startNanos, e.endNanos);
                }
            }
        }
    }
}
