/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.views;

import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.meteorshower.cassandra.memory.MemoryBudget;

/**
 * {@code meteorshower.memory}: who holds how much of the heap for the plugin, and what happens at its end. Thread-safe.
 */
public final class MemoryView extends Show {
    private final MemoryBudget budget;

    public MemoryView(MemoryBudget budget) {
        super(define("memory", "who holds how much of the heap for the plugin", "user", UTF8Type.instance)
                .addRegularColumn("used_bytes", LongType.instance)
                .addRegularColumn("limit_bytes", LongType.instance)
                .addRegularColumn("peak_bytes", LongType.instance)
                .addRegularColumn("times_full", LongType.instance)
                .addRegularColumn("at_its_end", UTF8Type.instance)
                .build());
        this.budget = budget;
    }

    @Override
    public DataSet data() {
        SimpleDataSet rows = new SimpleDataSet(metadata());
        for (MemoryBudget.Use use : budget.look()) {
            rows.row(use.user().text())
                    .column("used_bytes", use.usedBytes())
                    .column("limit_bytes", use.limitBytes())
                    .column("peak_bytes", use.peakBytes())
                    .column("times_full", use.timesFull())
                    .column("at_its_end", use.user().atItsEnd());
        }
        return rows;
    }
}
