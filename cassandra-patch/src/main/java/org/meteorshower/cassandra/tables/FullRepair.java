/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.repair.messages.RepairOption;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ActiveRepairService;
import org.apache.cassandra.service.ActiveRepairService.ParentRepairStatus;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.FBUtilities;
import org.apache.cassandra.utils.Pair;
import org.apache.cassandra.utils.concurrent.Future;

/** A full repair of what this node holds of a table, as {@code nodetool repair -full} does it. */
final class FullRepair {
    private static final long MAX_HOURS = 48;
    private static final long LOOK_EVERY_MILLIS = 200;

    private FullRepair() {}

    /** Blocks until it has ended. Returns whether it has succeeded. */
    static boolean run(TableMetadata table) throws InterruptedException {
        return run(table, Map.of());
    }

    /**
     * The same of what one other node holds of these ranges, which this one holds, too: data comes from there to here,
     * and nothing goes the other way.
     */
    static boolean pull(TableMetadata table, InetAddressAndPort source, Collection<Range<Token>> ranges)
            throws InterruptedException {
        return run(
                table,
                Map.of(
                        RepairOption.PULL_REPAIR_KEY,
                        "true",
                        RepairOption.HOSTS_KEY,
                        FBUtilities.getBroadcastAddressAndPort().getHostAddressAndPort() + ","
                                + source.getHostAddressAndPort(),
                        RepairOption.RANGES_KEY,
                        ranges.stream()
                                .map(range -> range.left + ":" + range.right)
                                .collect(Collectors.joining(","))));
    }

    private static boolean run(TableMetadata table, Map<String, String> others) throws InterruptedException {
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
        options.putAll(others);
        Pair<Integer, Future<?>> repair = StorageService.instance.repair(table.keyspace, options, List.of());
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
}
