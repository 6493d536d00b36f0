/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.background;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.repair.messages.RepairOption;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ActiveRepairService;
import org.apache.cassandra.service.ActiveRepairService.ParentRepairStatus;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.FBUtilities;
import org.apache.cassandra.utils.Pair;
import org.apache.cassandra.utils.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** A full repair of ranges that this node holds of a table, as {@code nodetool repair -full} does it. */
final class FullRepair implements Repairs {
    private static final long MAX_HOURS = 48;
    private static final long LOOK_EVERY_MILLIS = 50;

    @Override
    public boolean run(
            TableMetadata table, @Nullable InetAddressAndPort source, Collection<Range<Token>> ranges, Pace pace)
            throws InterruptedException {
        Pair<Integer, Future<?>> repair =
                StorageService.instance.repair(table.keyspace, options(table, source, ranges), List.of());
        if (repair.left == 0) {
            return true; // nobody else holds anything of it
        }
        // The future is done when the repair has begun.
        long deadlineNanos = System.nanoTime() + TimeUnit.HOURS.toNanos(MAX_HOURS);
        while (System.nanoTime() - deadlineNanos < 0) {
            Thread.sleep(LOOK_EVERY_MILLIS);
            var status = ActiveRepairService.instance().getRepairStatus(repair.left);
            if (status != null && status.left != ParentRepairStatus.IN_PROGRESS) {
                return status.left == ParentRepairStatus.COMPLETED;
            }
        }
        return false;
    }

    private static Map<String, String> options(
            TableMetadata table, @Nullable InetAddressAndPort source, Collection<Range<Token>> ranges) {
        Map<String, String> options = new HashMap<>(Map.of(
                RepairOption.PARALLELISM_KEY,
                "parallel",
                RepairOption.PRIMARY_RANGE_KEY,
                "false",
                RepairOption.INCREMENTAL_KEY,
                "false",
                RepairOption.REPAIR_PAXOS_KEY,
                "false",
                RepairOption.COLUMNFAMILIES_KEY,
                table.name));
        if (source != null) {
            options.put(RepairOption.PULL_REPAIR_KEY, "true");
            options.put(
                    RepairOption.HOSTS_KEY,
                    FBUtilities.getBroadcastAddressAndPort().getHostAddressAndPort() + ","
                            + source.getHostAddressAndPort());
        }
        // The whole ring has no two ends, which the option wants.
        if (ranges.stream().noneMatch(range -> range.left.equals(range.right)) && !ranges.isEmpty()) {
            options.put(
                    RepairOption.RANGES_KEY,
                    ranges.stream().map(range -> range.left + ":" + range.right).collect(Collectors.joining(",")));
        }
        return options;
    }

    @Override
    public List<Range<Token>> held(TableMetadata table) {
        return new ArrayList<>(Keyspace.open(table.keyspace)
                .getReplicationStrategy()
                .getAddressReplicas(FBUtilities.getBroadcastAddressAndPort())
                .ranges());
    }

    /** As if it were spread evenly. */
    @Override
    public long bytesOf(TableMetadata table, Collection<Range<Token>> ranges) {
        ColumnFamilyStore store = Schema.instance.getColumnFamilyStoreInstance(table.id);
        if (store == null) {
            return 0;
        }
        double held = Pieces.widthOf(held(table));
        double part = held > 0 ? Math.min(1, Pieces.widthOf(ranges) / held) : 1;
        long bytes = store.metric.liveDiskSpaceUsed.getCount()
                + store.getTracker().getView().getCurrentMemtable().getLiveDataSize();
        return (long) (part * bytes);
    }
}
