/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.ycsb;

import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.meteorshower.client.ReadInfo;
import org.meteorshower.client.Served;

/** How reads were served. Thread-safe. */
final class ServedCounts {
    private final Map<Served, LongAdder> counts = new EnumMap<>(Served.class);

    ServedCounts() {
        for (Served served : Served.values()) {
            counts.put(served, new LongAdder());
        }
    }

    void count(ExecutionInfo read) {
        ReadInfo.of(read).ifPresent(info -> {
            LongAdder adder = counts.get(info.served());
            if (adder != null) {
                adder.increment();
            }
        });
    }

    /** In the form of YCSB's summary, so that what reads the one reads the other. Nothing where nothing was served. */
    void print() {
        if (counts.values().stream().anyMatch(count -> count.sum() > 0)) {
            counts.forEach((served, count) -> System.out.println("[READ-SERVED], " + served.text() + ", " + count));
        }
    }
}
