/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.views;

import java.util.Map;
import java.util.function.Supplier;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.marshal.UUIDType;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.service.StorageService;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.transport.PeerTraffic;

/** {@code meteorshower.traffic}: what status messages and the protocol's others to each peer took. Thread-safe. */
public final class TrafficTable extends Show {
    private static final String HOST_ID = "host_id";
    private static final String ADDRESS = "address";
    private static final String MESSAGES = "messages";
    private static final String BYTES = "bytes";

    private final Supplier<Map<NodeId, PeerTraffic>> traffic;

    public TrafficTable(Supplier<Map<NodeId, PeerTraffic>> traffic) {
        super(define(
                        "traffic",
                        "messages and bytes that this node has sent to each peer; forwarded reads do not count",
                        HOST_ID,
                        UUIDType.instance)
                .addRegularColumn(ADDRESS, UTF8Type.instance)
                .addRegularColumn(MESSAGES, LongType.instance)
                .addRegularColumn(BYTES, LongType.instance)
                .build());
        this.traffic = traffic;
    }

    @Override
    public DataSet data() {
        SimpleDataSet rows = new SimpleDataSet(metadata());
        traffic.get().forEach((peer, sent) -> {
            InetAddressAndPort address =
                    StorageService.instance.getTokenMetadata().getEndpointForHostId(peer.value());
            rows.row(peer.value())
                    .column(ADDRESS, address == null ? "not on the ring" : address.getHostAddressAndPort())
                    .column(MESSAGES, sent.messages())
                    .column(BYTES, sent.bytes());
        });
        return rows;
    }
}
