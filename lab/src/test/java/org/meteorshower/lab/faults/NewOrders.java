/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** Clients that place orders, whose numbers are those that their district has next. */
final class NewOrders {
    private static final int DISTRICTS = 2;

    private static final String PLACE = """
            BEGIN TRANSACTION
              LET d = (SELECT next FROM faults.districts WHERE k = :k);
              SELECT d.next;
              UPDATE faults.districts SET next += 1 WHERE k = :k;
              INSERT INTO faults.orders (k, id, who) VALUES (:k, d.next, :who);
              INSERT INTO faults.lines (k, id, n, amount) VALUES (:k, d.next, 1, :amount);
              INSERT INTO faults.lines (k, id, n, amount) VALUES (:k, d.next, 2, 1);
            COMMIT TRANSACTION""";

    private static final String LAST = """
            BEGIN TRANSACTION
              LET d = (SELECT next FROM faults.districts WHERE k = :k);
              LET o = (SELECT id, who FROM faults.orders WHERE k = :k AND id = d.next - 1);
              LET l = (SELECT count(*) AS n, sum(amount) AS total FROM faults.lines WHERE k = :k AND id = o.id);
              SELECT d.next, o.id, o.who, l.n, l.total;
            COMMIT TRANSACTION""";

    /** Of an order that was placed. */
    private record Placed(int district, int id, String who) {}

    private NewOrders() {}

    static void create(TestCluster cluster) throws InterruptedException {
        cluster.create("districts", "k int PRIMARY KEY, next int", "comment = ''");
        cluster.create("orders", "k int, id int, who text, PRIMARY KEY (k, id)", "CLUSTERING ORDER BY (id DESC)");
        cluster.create("lines", "k int, id int, n int, amount int, PRIMARY KEY (k, id, n)", "comment = ''");
    }

    /** So many clients at each data centre place so many each, and look at the last one each time. */
    static void placedAndRight(TestCluster cluster, int clients, int each) throws Exception {
        for (int k = 0; k < DISTRICTS; k++) {
            cluster.cql("eu").execute("INSERT INTO faults.districts (k, next) VALUES (" + k + ", 1)");
        }
        List<Callable<List<Placed>>> all = new ArrayList<>();
        for (String dc : cluster.dcs()) {
            for (int client = 0; client < clients; client++) {
                int number = client;
                all.add(() -> placed(cluster.cql(dc), dc + "-" + number, number % DISTRICTS, each));
            }
        }
        List<Placed> placed = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(all.size());
        try {
            for (Future<List<Placed>> client : threads.invokeAll(all)) {
                placed.addAll(client.get());
            }
        } finally {
            threads.shutdownNow();
        }
        for (int k = 0; k < DISTRICTS; k++) {
            int district = k;
            List<Placed> its =
                    placed.stream().filter(order -> order.district == district).toList();
            assertThat(its)
                    .extracting(Placed::id)
                    .as("numbers, without a gap and each once")
                    .containsExactlyInAnyOrderElementsOf(
                            IntStream.rangeClosed(1, its.size()).boxed().toList());
            for (String dc : cluster.dcs()) {
                List<Placed> stored = new ArrayList<>();
                for (Row row : cluster.cql(dc).execute(strict("SELECT id, who FROM faults.orders WHERE k = " + k))) {
                    stored.add(new Placed(k, row.getInt("id"), row.getString("who")));
                }
                assertThat(stored).as("at %s", dc).containsExactlyInAnyOrderElementsOf(its);
                assertThat(cluster.cql(dc)
                                .execute(strict("SELECT n FROM faults.lines WHERE k = " + k))
                                .all())
                        .hasSize(2 * its.size());
            }
        }
    }

    private static List<Placed> placed(CqlSession session, String who, int district, int count) {
        PreparedStatement place = session.prepare(PLACE);
        PreparedStatement last = session.prepare(LAST);
        List<Placed> placed = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            BoundStatement bound = place.boundStatementBuilder()
                    .setInt("k", district)
                    .setString("who", who + "-" + i)
                    .setInt("amount", i)
                    .setConsistencyLevel(ConsistencyLevel.QUORUM)
                    .build();
            placed.add(new Placed(district, session.execute(bound).one().getInt(0), who + "-" + i));
            Row seen = session.execute(last.boundStatementBuilder()
                            .setInt("k", district)
                            .setConsistencyLevel(ConsistencyLevel.QUORUM)
                            .build())
                    .one();
            int id = seen.getInt("o.id");
            assertThat(id).isEqualTo(seen.getInt("d.next") - 1);
            assertThat(id).isGreaterThanOrEqualTo(placed.get(i).id);
            assertThat(seen.getLong("l.n")).isEqualTo(2);
            assertThat(seen.getInt("l.total")).isGreaterThanOrEqualTo(1);
        }
        return placed;
    }

    private static SimpleStatement strict(String text) {
        return SimpleStatement.newInstance(text).setConsistencyLevel(ConsistencyLevel.QUORUM);
    }
}
