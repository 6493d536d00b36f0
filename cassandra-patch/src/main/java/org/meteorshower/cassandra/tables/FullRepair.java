/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.repair.messages.RepairOption;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ActiveRepairService;
import org.apache.cassandra.service.ActiveRepairService.ParentRepairStatus;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.Pair;
import org.apache.cassandra.utils.concurrent.Future;

/** A full repair of what this node holds of a table, as {@code nodetool repair -full} does it. */
final class FullRepair {
    private static final long MAX_HOURS = 48;
    private static final long LOOK_EVERY_MILLIS = 200;

    private FullRepair() {}

    /** Blocks until it has ended. Returns whether it has succeeded. */
    static boolean run(TableMetadata table) throws InterruptedException {
        Map<String, String> options = Map.of(
                RepairOption.PARALLELISM_KEY,
                "parallel",
                RepairOption.PRIMARY_RANGE_KEY,
                "false",
                RepairOption.INCREMENTAL_KEY,
                "false",
                RepairOption.REPAIR_PAXOS_KEY,
                "false",
                RepairOption.COLUMNFAMILIES_KEY,
                table.name);
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
