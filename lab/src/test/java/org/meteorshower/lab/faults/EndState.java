/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.meteorshower.checker.History;
import org.meteorshower.checker.Operation;

/** What must be true of a table when all is quiet again. */
final class EndState {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private EndState() {}

    /** No acknowledged write is lost, and all data centres agree, in what they serve and in what they store. */
    static void check(Workload workload, History history) throws InterruptedException {
        Map<String, Long> acknowledged = newestAcknowledged(history);
        Client.Roaming reader =
                Client.Roaming.of(workload.cluster(), workload.cluster().dcs().get(0));
        workload.roaming()
                .forEach(each -> reader.session().observe(each.session().token()));
        for (int row = 0; row < workload.rows(); row++) {
            Set<String> served = new HashSet<>();
            for (String dc : workload.cluster().dcs()) {
                reader.moveTo(dc);
                Row found = reader.execute(select(workload, row)).one();
                long newest = acknowledged.getOrDefault(workload.key(row), Long.MIN_VALUE);
                assertThat(found == null ? Long.MIN_VALUE : found.getLong(1))
                        .as("%s in %s, and the newest write of it that was acknowledged", workload.key(row), dc)
                        .isGreaterThanOrEqualTo(newest);
                served.add(found == null ? "no row" : found.getString(0));
            }
            assertThat(served)
                    .as("%s as the data centres serve it", workload.key(row))
                    .hasSize(1);
            int each = row;
            // Each node answers ONE from its own replica: what a fault kept from it must reach it in the end.
            Waiting.until(LIMIT, () -> assertThat(stored(workload, each))
                    .as("%s as the data centres store it", workload.key(each))
                    .isEqualTo(served));
        }
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

    private static Set<String> stored(Workload workload, int row) {
        Set<String> stored = new HashSet<>();
        for (String dc : workload.cluster().dcs()) {
            Row found = workload.cluster()
                    .cql(dc)
                    .execute(select(workload, row).setConsistencyLevel(ConsistencyLevel.ONE))
                    .one();
            stored.add(found == null ? "no row" : found.getString(0));
        }
        return stored;
    }

    private static SimpleStatement select(Workload workload, int row) {
        return SimpleStatement.newInstance(
                "SELECT value, WRITETIME(value) FROM " + TestCluster.KEYSPACE + "." + workload.table()
                        + " WHERE id = ?",
                row);
    }
}
