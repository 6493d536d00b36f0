/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import org.meteorshower.cassandra.check.OnlineCheck;
import org.meteorshower.cassandra.memory.MemoryUser;
import org.meteorshower.cassandra.read.FillingFetch;
import org.meteorshower.cassandra.read.LocalFetch;
import org.meteorshower.cassandra.read.LocalScans;
import org.meteorshower.cassandra.read.LocatedFetch;
import org.meteorshower.cassandra.read.ScanFetch;
import org.meteorshower.runtime.ByteAccount;

/** How partitions, and ranges of them, are read that this node is a replica of. */
final class ReadsOpening {
    private ReadsOpening() {}

    /**
     * @param partitions reads of one partition
     * @param scans reads of ranges
     */
    record Opened(LocatedFetch partitions, ScanFetch scans) {}

    static Opened make(Foundation ground, ProtocolPart protocol, TablesPart tables, OnlineCheck check) {
        ByteAccount reads = ground.memory.account(MemoryUser.WAITING_READS);
        LocalFetch served = new LocalFetch(protocol.meteorShower, ground.metrics.tables()::awaited, check, reads);
        return new Opened(
                FillingFetch.over(
                        served, tables.live::plainAsOf, tables.endings::await, tables.follower::goesByItsRing),
                new LocalScans(
                        ground.self,
                        protocol.placement,
                        tables.enabled,
                        tables.live::plainAsOf,
                        protocol.meteorShower,
                        reads));
    }
}
