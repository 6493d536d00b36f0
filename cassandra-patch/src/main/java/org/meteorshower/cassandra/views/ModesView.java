/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.views;

import java.util.List;
import org.apache.cassandra.db.marshal.BooleanType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.jspecify.annotations.Nullable;

/** {@code meteorshower.modes}: which read modes this node takes at the moment. Thread-safe. */
public final class ModesView extends Show {
    /** @param whyNot null where reads in the mode are taken */
    public record Mode(String name, @Nullable String whyNot) {}

    /** Who knows. */
    public interface Look {
        List<Mode> modes();
    }

    private final Look look;

    public ModesView(Look look) {
        super(define("modes", "which read modes this node takes at the moment", "mode", UTF8Type.instance)
                .addRegularColumn("available", BooleanType.instance)
                .addRegularColumn("why_not", UTF8Type.instance)
                .build());
        this.look = look;
    }

    @Override
    public DataSet data() {
        SimpleDataSet rows = new SimpleDataSet(metadata());
        for (Mode mode : look.modes()) {
            rows.row(mode.name).column("available", mode.whyNot == null);
            set(rows, "why_not", mode.whyNot);
        }
        return rows;
    }
}
