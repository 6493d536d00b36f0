/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.store;

import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.db.CassandraWriteContext;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.meteorshower.cassandra.agent.Hooks;

/**
 * The context of a write some of whose updates have been announced: hears when each is in the memtable, and on closing
 * reports those that never got there. Used by the thread that applies the mutation.
 */
final class AnnouncedWrite extends CassandraWriteContext implements Hooks.WrittenListener {
    private final Announcements announcements;

    AnnouncedWrite(CassandraWriteContext context, Announcements announcements) {
        super(context.getGroup(), context.getPosition());
        this.announcements = announcements;
    }

    @Override
    public void written(PartitionUpdate update) {
        announcements.written(update);
    }

    @Override
    public void close() {
        try {
            announcements.failRemaining();
        } finally {
            super.close();
        }
    }

    /**
     * What must happen to one announced update once it is in the memtable, or when it is clear that it never will be.
     */
    interface Outcome {
        void applied();

        void failed();
    }

    /** The announced updates of one mutation that are not in the memtable yet. */
    static final class Announcements {
        private final List<PartitionUpdate> updates = new ArrayList<>(1);
        private final List<Outcome> outcomes = new ArrayList<>(1);
        private int added;
        private int journaled;

        /** @param inJournal whether the journal holds it, as safely as it keeps things */
        void add(PartitionUpdate update, boolean inJournal, Outcome outcome) {
            updates.add(update);
            outcomes.add(outcome);
            added++;
            journaled += inJournal ? 1 : 0;
        }

        /** How many of them the journal holds. */
        int journaled() {
            return journaled;
        }

        int added() {
            return added;
        }

        boolean holds(PartitionUpdate update) {
            return indexOf(update) >= 0;
        }

        void written(PartitionUpdate update) {
            int index = indexOf(update);
            if (index >= 0) {
                updates.remove(index);
                outcomes.remove(index).applied();
            }
        }

        void failRemaining() {
            outcomes.forEach(Outcome::failed);
            outcomes.clear();
            updates.clear();
        }

        @SuppressWarnings("ReferenceEquality") // an index of the table may be written with the same context
        private int indexOf(PartitionUpdate update) {
            for (int i = 0; i < updates.size(); i++) {
                if (updates.get(i) == update) {
                    return i;
                }
            }
            return -1;
        }
    }
}
