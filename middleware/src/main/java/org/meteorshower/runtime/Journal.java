/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meteorshower.driver.JournalWriter;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Update;

/**
 * What a node remembers through a crash, and reads again: at its start, and when somebody lacks a mutation. Called by
 * one thread at a time.
 */
public interface Journal extends JournalWriter, AutoCloseable {
    /** What the journal holds at start, read once. */
    Contents contents();

    /**
     * Where the content of a mutation lies that was stamped and not retired, so that it can be read while the journal
     * goes on; null where it holds none. To be closed, since the journal keeps the file meanwhile.
     */
    default @Nullable Reading reading(PartitionKey key, MutationId id) {
        return null;
    }

    /** When what was written is as safe as this journal keeps things. Of any thread. */
    default Safety safety() {
        return Safety.AT_ONCE;
    }

    @Override
    void close();

    /** One mutation's content in the journal. Used by one thread, which may be another one than the journal's. */
    interface Reading extends AutoCloseable {
        /**
         * Reads the disk.
         *
         * @throws RuntimeException if what is there is not what was written, or it is of a table that is not known any
         *     more
         */
        Update read();

        @Override
        void close();
    }

    record JournaledUpdate(Update update, long appliedMicros) {}

    /**
     * @param incarnation of this start; larger than that of every earlier one
     * @param updates in the order in which they were stamped; each is read from the disk when its turn comes
     * @param ceilingMicros F: every clock value that earlier starts used is at most this
     */
    record Contents(
            long incarnation,
            long ceilingMicros,
            Iterable<JournaledUpdate> updates,
            List<TableState> tables,
            List<NodeId> stalePeers) {}
}
