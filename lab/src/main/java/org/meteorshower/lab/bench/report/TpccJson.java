/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.bench.plan.TpccSpec;
import org.meteorshower.lab.bench.plan.WorkloadSpec;
import org.meteorshower.lab.bench.run.RunResult;
import org.meteorshower.lab.bench.run.TpccFigures;
import org.meteorshower.lab.console.Json;
import org.meteorshower.lab.tpcc.TpccType;

/** What came of a run of TPC-C, for programs. */
final class TpccJson {
    private TpccJson() {}

    /** Nothing where the run was of something else. */
    static void add(
            ObjectNode json, WorkloadSpec workload, @Nullable TpccFigures figures, RunResult result, int machineCores) {
        TpccSpec spec = workload.tpcc();
        TpccOutcomes outcomes = TpccOutcomes.of(List.of(result));
        if (spec == null || figures == null || outcomes == null) {
            return;
        }
        ObjectNode tpcc = json.putObject("tpcc");
        tpcc.put("audited", false);
        tpcc.put("warehouses_per_dc", spec.scale().warehousesPerDc());
        tpcc.put("districts", spec.scale().districts());
        tpcc.put("customers", spec.scale().customers());
        tpcc.put("items", spec.scale().items());
        tpcc.put("thinking", spec.thinking());
        tpcc.put("homes", spec.near() ? "near" : "dealt");
        Json.finer(tpcc, "new_orders_per_minute", outcomes.newOrdersPerMinute());
        Json.finer(tpcc, "per_machine_core", outcomes.newOrdersPerMinute() / machineCores);
        Json.finer(tpcc, "per_node_core", outcomes.perNodeCore());
        tpcc.put("skipped_deliveries", outcomes.skipped());
        ObjectNode byType = tpcc.putObject("by_type");
        for (TpccType type : TpccType.values()) {
            TpccFigures.OfType of = outcomes.of(type);
            ObjectNode here = ResultsJson.latencies(byType.putObject(type.word()), of.latencies());
            Json.finer(here, "mix_share", outcomes.mixShare(type));
            here.put("commits", of.commits());
            here.put("rollbacks", of.rollbacks());
            here.put("aborts", of.aborts());
            here.put("unknown", of.unknown());
        }
    }
}
