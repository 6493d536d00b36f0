/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.background;

import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.IntSupplier;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.service.StorageService;

/**
 * Cassandra's own throughput of compactions and validations, and of streams within and between data centres: lowered
 * while background work yields, put back after. What has no limit is left alone; what somebody else changes meanwhile
 * is the configured value from then on. Used by one thread.
 */
final class Throughput {
    /** One of them, in MiB a second; 0: no limit. */
    private static final class Knob {
        private final IntSupplier get;
        private final IntConsumer set;
        private int configured;
        private int lowered = NOT_LOWERED;

        Knob(IntSupplier get, IntConsumer set) {
            this.get = get;
            this.set = set;
        }

        void lower(double share) {
            int now = get.getAsInt();
            if (now != lowered) {
                configured = now;
            }
            int wanted = configured <= 0 ? configured : (int) Math.max(1, Math.round(configured * share));
            if (wanted != now) {
                set.accept(wanted);
            }
            lowered = wanted;
        }

        void restore() {
            if (lowered != NOT_LOWERED && get.getAsInt() == lowered && lowered != configured) {
                set.accept(configured);
            }
            lowered = NOT_LOWERED;
        }
    }

    private static final int NOT_LOWERED = -1;

    private final List<Knob> knobs;

    Throughput() {
        StorageService service = StorageService.instance;
        knobs = List.of(
                new Knob(
                        DatabaseDescriptor::getCompactionThroughputMebibytesPerSecAsInt,
                        service::setCompactionThroughputMbPerSec),
                new Knob(service::getStreamThroughputMebibytesPerSec, service::setStreamThroughputMebibytesPerSec),
                new Knob(
                        service::getInterDCStreamThroughputMebibytesPerSec,
                        service::setInterDCStreamThroughputMebibytesPerSec));
    }

    /** For tests. */
    Throughput(IntSupplier get, IntConsumer set) {
        knobs = List.of(new Knob(get, set));
    }

    /** @param share of what is configured, above 0 and up to 1 */
    void lower(double share) {
        knobs.forEach(knob -> knob.lower(share));
    }

    void restore() {
        knobs.forEach(Knob::restore);
    }
}
