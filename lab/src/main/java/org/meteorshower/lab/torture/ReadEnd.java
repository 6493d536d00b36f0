/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.meteorshower.checker.History;
import org.meteorshower.checker.Operation;
import org.meteorshower.client.ReadMode;
import org.meteorshower.lab.load.DataCentres;

/** What must be true of the table when all is quiet again: no acknowledged write is lost, wherever one looks. */
final class ReadEnd {
    private ReadEnd() {}

    /**
     * One line for each row and data centre where something older is served than what was acknowledged, and for each
     * session that could not look itself.
     */
    static List<String> lost(DataCentres dataCentres, ReadWorkload workload, History history) {
        Map<String, Long> acknowledged = newestAcknowledged(history);
        ReadClient.Roaming reader =
                ReadClient.Roaming.of(dataCentres, dataCentres.names().get(0), ReadMode.SEQUENTIAL);
        workload.roaming()
                .forEach(each -> reader.session().observe(each.session().token()));
        List<String> lost = new ArrayList<>();
        workload.incomplete()
                .forEach(session -> lost.add(session + " could not read every row within a minute after all faults"
                        + " were undone; failures: " + workload.failures()));
        for (String dc : dataCentres.names()) {
            for (int row = 0; row < workload.rows(); row++) {
                reader.moveTo(dc);
                long newest = acknowledged.getOrDefault(RowsTable.key(row), Long.MIN_VALUE);
                long found;
                try {
                    found = versionOf(read(reader, row));
                } catch (DriverException e) {
                    lost.add(RowsTable.key(row) + " in " + dc + " cannot be read: " + e.getMessage());
                    continue;
                }
                if (found < newest) {
                    lost.add(RowsTable.key(row) + " in " + dc + ": the write of " + newest
                            + " was acknowledged, and what is read is "
                            + (found == Long.MIN_VALUE ? "no row" : "of " + found));
                }
            }
        }
        return lost;
    }

    private static @Nullable Row read(ReadClient reader, int row) {
        for (int attempt = 0; ; attempt++) {
            try {
                return reader.execute(RowsTable.selectVersion(row)).one();
            } catch (DriverException e) {
                if (attempt == 10) {
                    throw e;
                }
            }
        }
    }

    private static long versionOf(@Nullable Row row) {
        return row == null ? Long.MIN_VALUE : row.getLong(1);
    }

    private static Map<String, Long> newestAcknowledged(History history) {
        Map<String, Long> newest = new HashMap<>();
        for (int i = 0; i < history.size(); i++) {
            Operation op = history.get(i);
            if (op.type() == Operation.Type.WRITE && op.status() == Operation.Status.OK) {
                newest.merge(op.key(), op.version(), Math::max);
            }
        }
        return newest;
    }
}
