/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import java.util.List;
import org.apache.cassandra.db.virtual.VirtualTable;
import org.meteorshower.cassandra.views.LeasesView;
import org.meteorshower.cassandra.views.MemoryView;
import org.meteorshower.cassandra.views.OnlineCheckTable;
import org.meteorshower.cassandra.views.PeersTable;
import org.meteorshower.cassandra.views.PeersView;
import org.meteorshower.cassandra.views.SettingsTable;
import org.meteorshower.cassandra.views.ThreadsTable;
import org.meteorshower.cassandra.views.TrafficTable;
import org.meteorshower.cassandra.views.ViolationsView;
import org.meteorshower.cassandra.views.WaysView;

/** The virtual tables about this node and its peers, but that of the tables. */
final class OwnViews {
    private OwnViews() {}

    static List<VirtualTable> of(Foundation ground, ProtocolPart protocol, SequentialPart sequential, PeerLook peers) {
        return List.of(
                new PeersTable(new PeerCondition(protocol.meteorShower)),
                new TrafficTable(protocol.transport::traffic),
                new ThreadsTable(),
                new PeersView(peers::peers),
                new WaysView(sequential.ways::figures),
                new LeasesView(peers::leases),
                new OnlineCheckTable(sequential.check),
                new SettingsTable(protocol.options),
                new ViolationsView(sequential.check::found),
                new MemoryView(ground.memory));
    }
}
