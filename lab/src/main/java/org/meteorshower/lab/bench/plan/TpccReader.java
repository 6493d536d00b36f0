/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.tpcc.TpccScale;

/** Reads what a workload of TPC-C says beside what all workloads do. */
final class TpccReader {
    private static final List<String> KEYS =
            List.of("scale", "warehouses", "districts", "customers", "items", "thinking", "homes");

    private TpccReader() {}

    /**
     * Null where the workload is another one; then it may have none of these keys.
     *
     * @param closed whether each terminal asks when it was answered
     */
    static @Nullable TpccSpec read(PlanNode workload, @Nullable TransactionMix mix, boolean closed) {
        if (mix != TransactionMix.TPCC) {
            for (String key : KEYS) {
                PlanNode found = workload.get(key);
                if (found != null) {
                    throw found.wrong("only a workload with transactions: tpcc has " + key);
                }
            }
            return null;
        }
        PlanNode scale = workload.get("scale");
        TpccScale whole = scale == null ? TpccScale.SMALL : named(scale);
        PlanNode thinking = workload.get("thinking");
        boolean thinks = thinking != null && thinking.flag();
        if (thinking != null && thinks && !closed) {
            throw thinking.wrong("who thinks has no rate; say rate: closed");
        }
        PlanNode homes = workload.get("homes");
        return new TpccSpec(
                new TpccScale(
                        whole(workload, "warehouses", whole.warehousesPerDc(), 100),
                        whole(workload, "districts", whole.districts(), TpccScale.STANDARD.districts()),
                        whole(workload, "customers", whole.customers(), TpccScale.STANDARD.customers()),
                        whole(workload, "items", whole.items(), TpccScale.STANDARD.items())),
                thinks,
                homes != null && isNear(homes));
    }

    private static int whole(PlanNode workload, String key, int usual, int most) {
        PlanNode node = workload.get(key);
        return node == null ? usual : node.whole(1, most, key);
    }

    private static TpccScale named(PlanNode node) {
        return switch (node.text()) {
            case "small" -> TpccScale.SMALL;
            case "standard" -> TpccScale.STANDARD;
            default -> throw node.wrong("must be small or standard, not '" + node.text() + "'");
        };
    }

    private static boolean isNear(PlanNode node) {
        return switch (node.text()) {
            case "near" -> true;
            case "dealt" -> false;
            default -> throw node.wrong("must be near or dealt, not '" + node.text() + "'");
        };
    }

    /** Why a system cannot run TPC-C; null: it can. */
    static @Nullable String impossible(TransactionEngine engine) {
        return switch (engine) {
            case CATENAE, LOCKING, OPTIMISTIC -> null;
            case ACCORD ->
                "the transactions of Cassandra 6.0-alpha2 read no ranges and have no keys computed from rows, so a new order"
                        + " cannot take its number, and nobody finds the oldest or the last order";
            case LWT -> "its rows are in several partitions, and conditional batches stay within one";
            case SCALARDB -> "nobody has written it for ScalarDB yet";
        };
    }
}
