/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.AbstractReplicationStrategy;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.FBUtilities;
import org.meteorshower.cassandra.background.Background;
import org.meteorshower.cassandra.placement.Buckets;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.Placement;
import org.meteorshower.runtime.Filler;
import org.meteorshower.runtime.MeteorShower;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fills a node that was left behind: repairs each enabled table from each of the peers that did so, one way, where that
 * peer has retired something without it. It compares what both hold there, so what is moved is what differs.
 * Thread-safe; the work is done in the background.
 */
public final class PulledTables implements Filler {
    private static final Logger log = LoggerFactory.getLogger(PulledTables.class);

    private final EnabledTables enabled;
    private final MeteorShower meteorShower;
    private final Background background;
    private final MissedElsewhere missed;

    public PulledTables(
            EnabledTables enabled, MeteorShower meteorShower, Background background, MissedElsewhere missed) {
        this.enabled = enabled;
        this.meteorShower = meteorShower;
        this.background = background;
        this.missed = missed;
    }

    @Override
    public void fill(long number, List<NodeId> sources) {
        background.execute(() -> {
            boolean complete = false;
            try {
                complete = fill(sources);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                log.warn("MeteorShower: this node could not be filled; it is tried again", e);
            } finally {
                meteorShower.filled(number, complete);
            }
        });
    }

    private boolean fill(List<NodeId> sources) throws InterruptedException {
        Map<TableId, UUID> tables = Map.copyOf(enabled.ids());
        long begunNanos = System.nanoTime();
        log.info(
                "MeteorShower: this node was left behind; it gets what it lacks of {} tables from {}",
                tables.size(),
                sources);
        boolean complete = true;
        for (Map.Entry<TableId, UUID> table : tables.entrySet()) {
            TableMetadata metadata = Schema.instance.getTableMetadata(table.getKey());
            complete &= metadata == null || fill(metadata, table.getValue(), sources);
        }
        // One that came meanwhile may hold what these sources have let go of.
        complete &= tables.equals(enabled.ids());
        log.info(
                "MeteorShower: this node {} after {} s",
                complete ? "has what it lacked" : "could not be filled; that is tried again",
                (System.nanoTime() - begunNanos) / 1_000_000_000L);
        return complete;
    }

    /** From the first step on no reading of the store counts. */
    private boolean fill(TableMetadata table, UUID name, List<NodeId> sources) throws InterruptedException {
        meteorShower.foreignDataComing(name);
        try {
            for (NodeId source : sources) {
                InetAddressAndPort address = StorageService.instance.getEndpointForHostId(source.value());
                if (address == null || !pulled(table, name, source, address)) {
                    log.warn("MeteorShower: what {} holds of {} could not be had", source, table);
                    return false;
                }
            }
            return true;
        } finally {
            meteorShower.foreignData(name);
        }
    }

    private boolean pulled(TableMetadata table, UUID name, NodeId node, InetAddressAndPort source)
            throws InterruptedException {
        Set<Range<Token>> shared = new HashSet<>(rangesOf(table, FBUtilities.getBroadcastAddressAndPort()));
        shared.retainAll(rangesOf(table, source));
        BitSet buckets = Buckets.areOf(table.partitioner) ? missed.at(node, name) : null;
        Collection<Range<Token>> lacking =
                buckets == null ? shared : Buckets.within(shared, buckets, background.rangesWorth(table, shared));
        log.info(
                "MeteorShower: {}: what {} retired meanwhile lies in {} of {} parts of the ring",
                table,
                node,
                buckets == null ? "any" : buckets.cardinality(),
                Placement.BUCKETS);
        return lacking.isEmpty() || background.pull(table, name, source, lacking);
    }

    private static List<Range<Token>> rangesOf(TableMetadata table, InetAddressAndPort node) {
        AbstractReplicationStrategy strategy = Keyspace.open(table.keyspace).getReplicationStrategy();
        return new ArrayList<>(strategy.getAddressReplicas(node).ranges());
    }
}
