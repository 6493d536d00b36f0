/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import org.meteorshower.cassandra.cql.BatchInternals;
import org.meteorshower.cassandra.cql.ServedTables;
import org.meteorshower.cassandra.cql.WriteAdmission;
import org.meteorshower.cassandra.cql.WriteBeginnings;
import org.meteorshower.cassandra.cql.WriteHandler;
import org.meteorshower.cassandra.cql.WriteMaker;
import org.meteorshower.cassandra.memory.MemoryUser;
import org.meteorshower.cassandra.net.TicketCalls;
import org.meteorshower.cassandra.net.TicketsForOthers;
import org.meteorshower.cassandra.net.UsedTimestamps;
import org.meteorshower.cassandra.placement.OwnPlace;
import org.meteorshower.cassandra.tables.LeaseHolders;
import org.meteorshower.cassandra.ways.Ways;
import org.meteorshower.runtime.ByteAccount;

/** How writes into enabled tables begin at this node. */
final class WritesOpening {
    private WritesOpening() {}

    /**
     * @param clients those of clients of this node
     * @param others those of coordinators that hold no replica
     */
    record Opened(WriteHandler clients, TicketsForOthers others) {}

    static Opened make(
            Foundation ground,
            ProtocolPart protocol,
            ServedTables served,
            BatchInternals batches,
            Ways ways,
            LeaseHolders holders) {
        ByteAccount waiting = ground.memory.account(MemoryUser.WAITING_WRITES);
        long incarnation = ground.contents.incarnation();
        UsedTimestamps used = new UsedTimestamps(ground.contents.ceilingMicros(), protocol.meteorShower::takeTimestamp);
        TicketCalls elsewhere = new TicketCalls(ground.self, protocol.transport, ways, used);
        WriteHandler clients = new WriteHandler(
                served,
                new WriteMaker(served, () -> protocol.options.now().weakWrites(), batches),
                new WriteAdmission(ground.memory.largestWriteBytes(), waiting),
                new WriteBeginnings(
                        ground.self, protocol.placement, holders, protocol.meteorShower::beginWrite, elsewhere::begin),
                protocol.placement);
        return new Opened(
                clients,
                new TicketsForOthers(
                        ground.self,
                        incarnation,
                        protocol.meteorShower::beginWriteOf,
                        protocol.placement::groupOf,
                        OwnPlace.ofThisNode(),
                        waiting));
    }
}
