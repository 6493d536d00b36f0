/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.db.commitlog.CommitLog;
import org.meteorshower.cassandra.placement.RingPlacement;
import org.meteorshower.cassandra.store.CassandraUpdate;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Update;
import org.meteorshower.runtime.Journal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts into the store, at a start, what the journal holds under names that tables have no longer, since their
 * partitions moved while the node was down. It was acknowledged, the commit log may have lost it, and nobody else
 * brings it: the protocol forgets the names, and begins the next epoch with what stores hold.
 */
final class MovedUpdates {
    private static final Logger log = LoggerFactory.getLogger(MovedUpdates.class);

    private record Name(PartitionKey key, MutationId id) {}

    private MovedUpdates() {}

    /** To be called before mutations are announced, and before any other node is heard. */
    static void apply(Journal journal, Journal.Contents contents, RingPlacement placement) {
        List<Name> moved = new ArrayList<>();
        for (Journal.JournaledUpdate each : contents.updates()) { // one at a time: all may not fit into memory
            Update update = each.update();
            if (placement.groupOf(update.key()) == null) {
                new Mutation(((CassandraUpdate) update).partitionUpdate()).apply();
                moved.add(new Name(update.key(), update.id()));
            }
        }
        if (moved.isEmpty()) {
            return;
        }
        try {
            CommitLog.instance.sync(true); // before the journal forgets it
        } catch (IOException e) {
            throw new IllegalStateException("cannot write the commit log: " + e.getMessage(), e);
        }
        moved.forEach(name -> journal.retired(name.key, name.id));
        log.info("MeteorShower: applied {} mutations of tables whose partitions have moved since", moved.size());
    }
}
