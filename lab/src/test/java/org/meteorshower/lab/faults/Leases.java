/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One lease for which clients of all data centres ask in turn, and what ends besides. */
final class Leases {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final long LEASE_NANOS = 1_000_000_000;

    /** Readings of one machine's clocks, of which one counts milliseconds. */
    private static final long MOST_APART_NANOS = 5_000_000;

    private final TestCluster cluster;

    /** When who got it had begun to ask, and had the answer. */
    private record Got(long askedNanos, long toldNanos) {}

    Leases(TestCluster cluster) {
        this.cluster = cluster;
    }

    static void create(TestCluster cluster) throws InterruptedException {
        cluster.create("leases", "name text PRIMARY KEY, holder text, note text");
        cluster.create("carts", "id int PRIMARY KEY, item text", "default_time_to_live = 1");
    }

    private ResultSet execute(String dc, String text) {
        return cluster.cql(dc).execute(SimpleStatement.newInstance(text).setConsistencyLevel(ConsistencyLevel.QUORUM));
    }

    /** Nobody gets it before the time of who had it before is over; and then somebody does. */
    void areHeldByOneAtATime(int times) throws Exception {
        List<Got> got = new ArrayList<>();
        while (got.size() < times) {
            List<String> dcs = cluster.dcs();
            String dc = dcs.get(got.size() % dcs.size());
            Waiting.until(SOON, () -> assertThat(asks(dc, got)).isTrue());
            for (String other : dcs) {
                asks(other, got); // mostly in vain
            }
        }
        for (int i = 1; i < got.size(); i++) {
            assertThat(got.get(i).toldNanos - got.get(i - 1).askedNanos)
                    .as("between two holders, of %s", got)
                    .isGreaterThanOrEqualTo(LEASE_NANOS - MOST_APART_NANOS);
        }
    }

    private boolean asks(String dc, List<Got> got) {
        long askedNanos = System.nanoTime();
        boolean applied = execute(
                        dc,
                        "INSERT INTO faults.leases (name, holder) VALUES ('only', '" + dc
                                + "') IF NOT EXISTS USING TTL 1")
                .wasApplied();
        if (applied) {
            got.add(new Got(askedNanos, System.nanoTime()));
        }
        return applied;
    }

    /** By column, by default, and in the tables that users see. */
    void endForAll() throws Exception {
        execute("eu", "INSERT INTO faults.leases (name, holder) VALUES ('kept', 'a')");
        execute("us", "UPDATE faults.leases USING TTL 1 SET note = 'soon' WHERE name = 'kept'");
        execute("asia", "INSERT INTO faults.carts (id, item) VALUES (1, 'by default')");
        execute("asia", "INSERT INTO faults.carts (id, item) VALUES (2, 'for good') USING TTL 0");
        for (String dc : cluster.dcs()) {
            Waiting.until(SOON, () -> assertThat(execute(dc, "SELECT id FROM faults.carts WHERE id IN (1, 2)")
                            .all())
                    .hasSize(1));
            Waiting.until(
                    SOON, () -> assertThat(execute(dc, "SELECT holder, note FROM faults.leases WHERE name = 'kept'")
                                    .one()
                                    .getFormattedContents())
                            .isEqualTo("[holder:'a', note:NULL]"));
            assertThat(execute(dc, "SELECT id FROM faults.carts").all()).hasSize(1);
            Waiting.until(SOON, () -> assertThat(cluster.cql(dc)
                            .execute("SELECT id FROM faults.carts")
                            .all())
                    .as("at LOCAL_ONE")
                    .hasSize(1));
        }
    }
}
