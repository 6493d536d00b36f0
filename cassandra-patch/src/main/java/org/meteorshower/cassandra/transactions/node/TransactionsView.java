/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.List;
import java.util.function.Supplier;
import org.apache.cassandra.db.marshal.BooleanType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.marshal.UUIDType;
import org.apache.cassandra.db.virtual.AbstractVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.dht.LocalPartitioner;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.config.TransactionsConfig;
import org.meteorshower.cassandra.tables.TablesTable;
import org.meteorshower.transactions.log.FormatUse;
import org.meteorshower.transactions.runtime.CoreProcess;
import org.meteorshower.transactions.runtime.Status;

/**
 * {@code meteorshower.transactions}: one row for each data centre's lane, as this node knows it. What the process knows
 * stands there only at the node that runs it. Thread-safe.
 */
public final class TransactionsView extends AbstractVirtualTable {
    private final TransactionsConfig config;
    private final DataCentres dataCentres;
    private final Representatives representatives;
    private final PeerFormats formats;
    private final Supplier<@Nullable CoreProcess> process;
    private final Supplier<@Nullable String> ownTrouble;

    /** @param ownTrouble why this node cannot run the process; null where it is not so */
    TransactionsView(
            TransactionsConfig config,
            DataCentres dataCentres,
            Representatives representatives,
            PeerFormats formats,
            Supplier<@Nullable CoreProcess> process,
            Supplier<@Nullable String> ownTrouble) {
        super(TableMetadata.builder(TablesTable.KEYSPACE, "transactions")
                .comment(
                        "the data centres' lanes as this node knows them; counts only where it runs its data centre's process")
                .kind(TableMetadata.Kind.VIRTUAL)
                .partitioner(new LocalPartitioner(UTF8Type.instance))
                .addPartitionKeyColumn("data_centre", UTF8Type.instance)
                .addRegularColumn("representative", UUIDType.instance)
                .addRegularColumn("role", UTF8Type.instance)
                .addRegularColumn("led_here", BooleanType.instance)
                .addRegularColumn("decided", LongType.instance)
                .addRegularColumn("merged", LongType.instance)
                .addRegularColumn("executed", LongType.instance)
                .addRegularColumn("digest", UTF8Type.instance)
                .addRegularColumn("waiting", LongType.instance)
                .addRegularColumn("whole", BooleanType.instance)
                .addRegularColumn("persists", LongType.instance)
                .addRegularColumn("persist_micros", LongType.instance)
                .addRegularColumn("format", Int32Type.instance)
                .addRegularColumn("formats", UTF8Type.instance)
                .addRegularColumn("trouble", UTF8Type.instance)
                .build());
        this.config = config;
        this.dataCentres = dataCentres;
        this.representatives = representatives;
        this.formats = formats;
        this.process = process;
        this.ownTrouble = ownTrouble;
    }

    @Override
    public DataSet data() {
        SimpleDataSet rows = new SimpleDataSet(metadata());
        CoreProcess here = process.get();
        Status status = here == null ? null : here.status();
        List<String> names = config.dataCentres();
        for (int lane = 0; lane < names.size(); lane++) {
            Representatives.Heard heard = representatives.of(lane);
            rows.row(names.get(lane));
            if (heard != null) {
                rows.column("representative", heard.node().value());
            }
            formats(lane, rows);
            if (status != null) {
                rows.column("led_here", status.leads().get(lane))
                        .column("decided", status.decided().get(lane))
                        .column("merged", status.checkpoint().positions().get(lane));
            }
            if (lane == dataCentres.self()) {
                own(rows, status);
            }
        }
        return rows;
    }

    private void formats(int lane, SimpleDataSet rows) {
        FormatUse use = formats.of(lane);
        if (use != null) {
            rows.column("format", use.used())
                    .column(
                            "formats",
                            use.known().oldest() + " to " + use.known().newest());
        }
        String own = lane == dataCentres.self() ? ownTrouble.get() : null;
        String trouble = own == null ? formats.trouble(lane) : own;
        if (trouble != null) {
            rows.column("trouble", trouble);
        }
    }

    private static void own(SimpleDataSet rows, @Nullable Status status) {
        rows.column("role", status == null ? "follower" : "representative");
        if (status != null) {
            rows.column("executed", status.checkpoint().count())
                    .column("digest", Long.toHexString(status.checkpoint().digest()))
                    .column("waiting", (long) status.waiting())
                    .column("whole", status.whole())
                    .column("persists", status.persists())
                    .column("persist_micros", status.persistMicros());
        }
    }
}
