/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.onlinecheck;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Effect;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.PartitionKey;

/** Clients' writes under way at this node, as far as they are in the sample. Used under the core's lock. */
final class WriteWatch implements Effect.WriteAnswer.Handler {
    private static final int MOST_WRITES = 10_000;

    private record Write(List<PartitionKey> keys, long timestampMicros) {}

    private final Sample sample;
    private final LinkedHashMap<Long, Write> writes = new LinkedHashMap<>();

    /** The last that began. The core answers it in the same step. */
    private Event.@Nullable WriteStarted begun;

    WriteWatch(Sample sample) {
        this.sample = sample;
    }

    void begins(Event.WriteStarted write) {
        begun = write;
    }

    void abandoned(long writeId) {
        writes.remove(writeId);
    }

    @Override
    public void on(Effect.WriteStamped stamped) {
        Event.WriteStarted write = begun;
        if (write == null || write.writeId() != stamped.writeId()) {
            return;
        }
        begun = null;
        if (stamped.timestampMicros() <= write.tokenMicros()) {
            sample.broken(
                    Violation.Kind.NOT_ABOVE_TOKEN,
                    write.keys().get(0),
                    "a write of a session with token " + write.tokenMicros() + " got timestamp "
                            + stamped.timestampMicros());
        }
        List<PartitionKey> sampled = new ArrayList<>(1);
        for (PartitionKey key : write.keys()) {
            if (sample.has(key)) {
                sampled.add(key);
            }
        }
        if (!sampled.isEmpty()) {
            writes.put(write.writeId(), new Write(sampled, stamped.timestampMicros()));
            if (writes.size() > MOST_WRITES) {
                Map.Entry<Long, Write> eldest = writes.entrySet().iterator().next();
                writes.remove(eldest.getKey());
            }
        }
    }

    @Override
    public void on(Effect.WriteDone done) {
        Write write = writes.remove(done.writeId());
        if (write != null) {
            write.keys.forEach(
                    key -> sample.tell(new Observation.Acknowledged(key, write.timestampMicros, done.tokenMicros())));
        }
    }

    @Override
    public void on(Effect.WriteRefused refused) {}

    /** Kept: it goes when it is abandoned, or with the eldest. */
    @Override
    public void on(Effect.WriteLost lost) {}
}
