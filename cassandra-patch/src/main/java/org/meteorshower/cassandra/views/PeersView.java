/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.views;

import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.marshal.UUIDType;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transport.PeerTraffic;

/** {@code meteorshower.peers}: the nodes that share data with this one, and what it hears of them. Thread-safe. */
public final class PeersView extends Show {
    /**
     * One peer, as of a moment ago.
     *
     * @param address as the ring knows it
     * @param stream how far the peer's stream has come: subscribed, snapshot or live; refused where it has left this
     *     node behind, behind where it waits for this node again, which lacks something; none where it is no peer any
     *     more
     * @param lagMicros how far what is known of it is behind this node's clock; null before its first stream
     * @param skewMicros how far its clock seems ahead of this node's; null before it was measured
     * @param silentMicros for how long nothing was heard of it; null where nothing was ever
     * @param state in step, left behind, being repaired (by hand), or coming back (by itself)
     */
    public record Peer(
            UUID hostId,
            String address,
            String dataCentre,
            String stream,
            @Nullable Long lagMicros,
            @Nullable Long skewMicros,
            long delayMicros,
            @Nullable Long silentMicros,
            String state,
            PeerTraffic sent,
            PeerTraffic received,
            long queuedBytes) {}

    private final Supplier<List<Peer>> look;

    public PeersView(Supplier<List<Peer>> look) {
        super(define(
                        "peers",
                        "the nodes that share data with this one, and what it hears of them",
                        "host_id",
                        UUIDType.instance)
                .addRegularColumn("address", UTF8Type.instance)
                .addRegularColumn("data_centre", UTF8Type.instance)
                .addRegularColumn("state", UTF8Type.instance)
                .addRegularColumn("stream", UTF8Type.instance)
                .addRegularColumn("lag_micros", LongType.instance)
                .addRegularColumn("skew_micros", LongType.instance)
                .addRegularColumn("delay_micros", LongType.instance)
                .addRegularColumn("silent_micros", LongType.instance)
                .addRegularColumn("sent_messages", LongType.instance)
                .addRegularColumn("sent_bytes", LongType.instance)
                .addRegularColumn("received_messages", LongType.instance)
                .addRegularColumn("received_bytes", LongType.instance)
                .addRegularColumn("queued_bytes", LongType.instance)
                .build());
        this.look = look;
    }

    @Override
    public DataSet data() {
        SimpleDataSet rows = new SimpleDataSet(metadata());
        for (Peer peer : look.get()) {
            rows.row(peer.hostId)
                    .column("address", peer.address)
                    .column("data_centre", peer.dataCentre)
                    .column("state", peer.state)
                    .column("stream", peer.stream)
                    .column("delay_micros", peer.delayMicros)
                    .column("sent_messages", peer.sent.messages())
                    .column("sent_bytes", peer.sent.bytes())
                    .column("received_messages", peer.received.messages())
                    .column("received_bytes", peer.received.bytes())
                    .column("queued_bytes", peer.queuedBytes);
            set(rows, "lag_micros", peer.lagMicros);
            set(rows, "skew_micros", peer.skewMicros);
            set(rows, "silent_micros", peer.silentMicros);
        }
        return rows;
    }
}
