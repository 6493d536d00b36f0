/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import org.meteorshower.cassandra.check.OnlineCheck;
import org.meteorshower.cassandra.memory.MemoryUser;
import org.meteorshower.cassandra.net.ForwardedFetch;
import org.meteorshower.cassandra.net.ForwardedReads;
import org.meteorshower.cassandra.net.ForwardedScans;
import org.meteorshower.cassandra.net.ScanCalls;
import org.meteorshower.cassandra.read.FillingFetch;
import org.meteorshower.cassandra.read.Lacking;
import org.meteorshower.cassandra.read.LocalFetch;
import org.meteorshower.cassandra.read.LocalScans;
import org.meteorshower.cassandra.read.LocatedFetch;
import org.meteorshower.cassandra.read.PartitionFetch;
import org.meteorshower.cassandra.read.RoutedFetch;
import org.meteorshower.cassandra.read.RoutedScans;
import org.meteorshower.cassandra.read.ScanFetch;
import org.meteorshower.cassandra.tables.LeaseHolders;
import org.meteorshower.cassandra.ways.Ways;
import org.meteorshower.runtime.ByteAccount;

/** How partitions, and ranges of them, are read at this node: for its clients, and for other coordinators. */
final class ReadsOpening {
    private ReadsOpening() {}

    /**
     * @param partitions clients' reads of one partition
     * @param scans clients' reads of ranges
     * @param forwarded reads of partitions that others ask for; to be closed
     * @param forwardedScans parts of scans that others ask for; to be closed
     */
    record Opened(
            PartitionFetch partitions, ScanFetch scans, ForwardedReads forwarded, ForwardedScans forwardedScans) {}

    static Opened make(
            Foundation ground,
            ProtocolPart protocol,
            TablesPart tables,
            OnlineCheck check,
            Lacking lacking,
            LeaseHolders holders,
            Ways ways) {
        ByteAccount reads = ground.memory.account(MemoryUser.WAITING_READS);
        LocatedFetch here = FillingFetch.over(
                new LocalFetch(protocol.meteorShower, ground.metrics.tables()::awaited, check, reads),
                tables.live::plain,
                tables.endings::await,
                tables.follower::goesByItsRing);
        LocalScans scansHere = new LocalScans(
                ground.self, protocol.placement, tables.enabled, tables.live::isPlain, protocol.meteorShower, reads);
        return new Opened(
                new RoutedFetch(
                        ground.self,
                        protocol.placement,
                        tables.enabled,
                        lacking,
                        here,
                        new ForwardedFetch(
                                ground.self, protocol.transport, ways, holders, protocol.meteorShower::observed)),
                new RoutedScans(
                        ground.self,
                        tables.enabled,
                        protocol.meteorShower,
                        scansHere,
                        new ScanCalls(ground.self, protocol.transport, ways),
                        protocol.meteorShower::observed,
                        reads),
                new ForwardedReads(here, tables.enabled, protocol.placement, lacking::lacks),
                new ForwardedScans(scansHere, tables.enabled));
    }
}
