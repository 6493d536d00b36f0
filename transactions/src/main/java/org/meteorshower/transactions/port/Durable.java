/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.port;

import java.util.Map;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.log.Entry;

/**
 * A record to be written so that a quorum of the data centre's own replicas has it. Writing one twice, or an older one after a
 * newer one, changes nothing: each says with what it is ordered.
 */
public sealed interface Durable {
    /** Ordered by ballot. */
    record Promise(int lane, long ballot) implements Durable {}

    /** Ordered, per position, by ballot. */
    record Accept(int lane, long position, long ballot, Entry entry) implements Durable {}

    /** Entries of the lane below the floor may go. Ordered by floor. */
    record Truncate(int lane, long floor) implements Durable {}

    /** The highest known generation of a data centre's disk, and which process has it. Ordered by generation. */
    record Generation(int dc, int generation, long life) implements Durable {}

    /**
     * What is about to be written to the tables, so that a crash in the midst of it can be made good. Ordered by count.
     *
     * @param rows every row that differs from the last checkpoint's, as of this one's count
     */
    record Redo(Checkpoint checkpoint, Map<RowKey, StoredRow> rows) implements Durable {
        public Redo {
            rows = Map.copyOf(rows);
        }
    }

    /** The tables hold everything up to here. Ordered by count; older Redo and Installing records may go. */
    record Done(Checkpoint checkpoint) implements Durable {}

    /** The tables are about to be replaced by a snapshot: until the checkpoint is done they are worth nothing. */
    record Installing(Checkpoint checkpoint) implements Durable {}
}
