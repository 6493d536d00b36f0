/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.time.Duration;
import java.util.List;

/** Of ranges and scans in transactions, that they are there and right in all data centres; {@link RangesIT} has all. */
final class FirstRanges {
    private static final Duration SOON = Duration.ofSeconds(90);

    private FirstRanges() {}

    static void areTheSameInAllDataCentres(TestCluster cluster) throws Exception {
        cluster.create("ranged", "k int, c int, v text, PRIMARY KEY (k, c)");
        cluster.letIn("eu", "ranged");
        cluster.awaitLetIn("ranged");
        List<String> dcs = cluster.dcs();
        for (int c = 0; c < dcs.size(); c++) {
            String insert = "INSERT INTO faults.ranged (k, c, v) VALUES (1, " + c + ", '" + dcs.get(c) + "')";
            String dc = dcs.get(c);
            Waiting.until(SOON, () -> cluster.cql(dc).execute(insert));
        }
        String range = "SELECT v FROM faults.ranged WHERE k = 1 AND c >= 1";
        // The first one takes all data centres to the format that has ranges.
        Waiting.until(SOON, () -> assertThat(values(cluster, "asia", range)).containsExactly("us", "asia"));
        for (String dc : dcs) {
            assertThat(values(cluster, dc, range)).containsExactly("us", "asia");
            assertThat(values(cluster, dc, "SELECT v FROM faults.ranged")).containsExactly("eu", "us", "asia");
        }
        cluster.cql("us").execute("DELETE FROM faults.ranged WHERE k = 1 AND c > 1");
        assertThat(values(cluster, "eu", "SELECT v FROM faults.ranged")).containsExactly("eu", "us");
        cluster.cql("asia")
                .execute(SimpleStatement.newInstance("TRUNCATE faults.ranged").setTimeout(SOON));
        assertThat(values(cluster, "us", range)).isEmpty();
    }

    private static List<String> values(TestCluster cluster, String dc, String select) {
        return cluster.cql(dc).execute(ThreeNodes.quorum(select)).all().stream()
                .map((Row row) -> row.getString("v"))
                .toList();
    }
}
