/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import org.meteorshower.cassandra.check.OnlineCheck;
import org.meteorshower.cassandra.memory.MemoryUser;
import org.meteorshower.cassandra.read.FillingFetch;
import org.meteorshower.cassandra.read.LocalFetch;
import org.meteorshower.cassandra.read.LocatedFetch;

/** How partitions are read that this node is a replica of. */
final class ReadsOpening {
    private ReadsOpening() {}

    static LocatedFetch make(Foundation ground, ProtocolPart protocol, TablesPart tables, OnlineCheck check) {
        LocalFetch served = new LocalFetch(
                protocol.meteorShower,
                ground.metrics.tables()::awaited,
                check,
                ground.memory.account(MemoryUser.WAITING_READS));
        return FillingFetch.over(served, tables.live::plainAsOf, tables.endings::await, tables::goesByItsRing);
    }
}
