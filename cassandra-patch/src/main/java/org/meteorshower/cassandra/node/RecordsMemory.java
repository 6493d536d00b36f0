/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import java.util.function.ToLongFunction;
import org.meteorshower.cassandra.memory.MemoryBudget;
import org.meteorshower.cassandra.memory.MemoryUser;
import org.meteorshower.protocol.MemoryUse;
import org.meteorshower.protocol.Settings;
import org.meteorshower.runtime.MeteorShower;

/** What the protocol core may keep on the heap, and what it does keep. */
final class RecordsMemory {
    private RecordsMemory() {}

    /** The settings with the records' part of the heap. */
    static Settings within(Settings settings, MemoryBudget memory) {
        return settings.withRecordsBytes(memory.limit(MemoryUser.RECORDS));
    }

    static void register(MeteorShower meteorShower, MemoryBudget memory) {
        register(meteorShower, memory, MemoryUser.RECORDS, MemoryUse::records);
        register(meteorShower, memory, MemoryUser.RETIRED_IDS, MemoryUse::remembered);
        register(meteorShower, memory, MemoryUser.STREAMS, MemoryUse::streams);
    }

    private static void register(
            MeteorShower meteorShower, MemoryBudget memory, MemoryUser user, ToLongFunction<MemoryUse> part) {
        memory.register(user, () -> part.applyAsLong(meteorShower.inspect(view -> view.memoryUse())));
    }
}
