/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.views;

import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.TimestampType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.meteorshower.cassandra.check.OnlineCheck;

/** {@code meteorshower.violations}: the last counterexamples of the online checker; must be empty. Thread-safe. */
public final class ViolationsView extends Show {
    private final Supplier<List<OnlineCheck.Found>> found;

    public ViolationsView(Supplier<List<OnlineCheck.Found>> found) {
        super(define("violations", "the online checker's last counterexamples; must be empty", "id", Int32Type.instance)
                .addRegularColumn("at", TimestampType.instance)
                .addRegularColumn("kind", UTF8Type.instance)
                .addRegularColumn("partition", UTF8Type.instance)
                .addRegularColumn("counterexample", UTF8Type.instance)
                .build());
        this.found = found;
    }

    @Override
    public DataSet data() {
        SimpleDataSet rows = new SimpleDataSet(metadata());
        int id = 0;
        for (OnlineCheck.Found each : found.get()) {
            rows.row(++id)
                    .column("at", Date.from(each.at()))
                    .column("kind", each.violation().kind().name().toLowerCase(Locale.ROOT))
                    .column("counterexample", each.violation().text());
            set(
                    rows,
                    "partition",
                    each.violation().key() == null
                            ? null
                            : String.valueOf(each.violation().key()));
        }
        return rows;
    }
}
