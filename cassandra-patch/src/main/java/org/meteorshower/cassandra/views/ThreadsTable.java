/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.views;

import java.util.Map;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.meteorshower.cassandra.tables.OwnThreads;

/**
 * {@code meteorshower.threads}: the processor time of the threads that MeteorShower has of its own, which send, receive
 * and keep time. What it does on Cassandra's threads, which read, stamp and apply, is not in it. Thread-safe.
 */
public final class ThreadsTable extends Show {
    private static final String NAME = "name";
    private static final String CPU_MICROS = "cpu_micros";

    private final OwnThreads threads = OwnThreads.ofThisProcess();

    public ThreadsTable() {
        super(define(
                        "threads",
                        "processor time of MeteorShower's own living threads, in microseconds",
                        NAME,
                        UTF8Type.instance)
                .addRegularColumn(CPU_MICROS, LongType.instance)
                .build());
    }

    @Override
    public DataSet data() {
        SimpleDataSet rows = new SimpleDataSet(metadata());
        for (Map.Entry<String, Long> group : threads.cpuMicros().entrySet()) {
            rows.row(group.getKey()).column(CPU_MICROS, group.getValue());
        }
        return rows;
    }
}
