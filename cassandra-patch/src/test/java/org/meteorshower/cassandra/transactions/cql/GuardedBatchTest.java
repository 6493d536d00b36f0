/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.junit.jupiter.api.Test;

/** Batches of which some statements ask first: all of a batch is done, or nothing, and its answer says why not. */
class GuardedBatchTest {
    private final Shop shop = new Shop(
            "CREATE TABLE t (k int, c int, v int, s int static, PRIMARY KEY (k, c))",
            "CREATE TABLE u (k int PRIMARY KEY, v int)");

    private List<String> batch(String... statements) {
        return shop.plain("BEGIN BATCH " + String.join("; ", statements) + "; APPLY BATCH");
    }

    private List<String> rows() {
        return shop.plain("SELECT k, c, v, s FROM t WHERE k = 1");
    }

    @Test
    void allAreDoneWhereAllThatIsAskedForHolds() {
        shop.plain("INSERT INTO t (k, c, v) VALUES (1, 1, 10)");

        assertThat(batch(
                        "INSERT INTO t (k, c, v) VALUES (1, 2, 20) IF NOT EXISTS",
                        "UPDATE t SET v = 11 WHERE k = 1 AND c = 1 IF v = 10",
                        "INSERT INTO t (k, c, v) VALUES (1, 3, 30)"))
                .containsExactly("true");
        assertThat(rows()).containsExactly("1, 1, 11, null", "1, 2, 20, null", "1, 3, 30, null");
    }

    @Test
    void nothingIsDoneWhereOneDoesNotAndTheRowsThatWereAskedForAreTold() {
        shop.plain("INSERT INTO t (k, c, v) VALUES (1, 2, 20)");
        shop.plain("INSERT INTO t (k, c, v) VALUES (1, 1, 10)");

        List<String> told = batch(
                "UPDATE t SET v = 21 WHERE k = 1 AND c = 2 IF v = 99",
                "UPDATE t SET v = 11 WHERE k = 1 AND c = 1 IF v = 10",
                "UPDATE t SET v = 1 WHERE k = 1 AND c = 3 IF v = null",
                "INSERT INTO t (k, c, v) VALUES (1, 4, 40)");
        assertThat(told).as("with their keys, in their order").containsExactly("false, 1, 1, 10", "false, 1, 2, 20");
        assertThat(rows()).containsExactly("1, 1, 10, null", "1, 2, 20, null");
    }

    @Test
    void whoAsksForARowIsToldAllOfIt() {
        shop.plain("INSERT INTO t (k, c, v, s) VALUES (1, 1, 10, 7)");

        assertThat(batch("INSERT INTO t (k, c, v) VALUES (1, 1, 11) IF NOT EXISTS"))
                .containsExactly("false, 1, 1, 7, 10");
        assertThat(batch("UPDATE t SET v = 1 WHERE k = 1 AND c = 9 IF EXISTS")).containsExactly("false");
    }

    @Test
    void conditionsLookAtWhatWasThereBeforeTheBatch() {
        assertThat(batch(
                        "INSERT INTO t (k, c, v) VALUES (1, 1, 10)",
                        "INSERT INTO t (k, c, v) VALUES (1, 1, 11) IF NOT EXISTS",
                        "UPDATE t SET v = 12 WHERE k = 1 AND c = 1 IF v = null"))
                .containsExactly("true");
        assertThat(rows()).containsExactly("1, 1, 12, null");
    }

    @Test
    void aStaticColumnIsOfThePartition() {
        shop.plain("UPDATE t SET s = 5 WHERE k = 1");

        assertThat(batch("UPDATE t SET s = 6 WHERE k = 1 IF s = 4", "INSERT INTO t (k, c, v) VALUES (1, 1, 1)"))
                .containsExactly("false, 1, null, 5");
        assertThat(batch("UPDATE t SET s = 6 WHERE k = 1 IF s = 5", "INSERT INTO t (k, c, v) VALUES (1, 1, 1)"))
                .containsExactly("true");
        assertThat(batch(
                        "UPDATE t SET s = 7 WHERE k = 1 IF s = 5", "UPDATE t SET v = 2 WHERE k = 1 AND c = 1 IF v = 1"))
                .as("a row has its partition's columns")
                .containsExactly("false, 1, 1, 6, 1");
        assertThat(rows()).containsExactly("1, 1, 1, 6");
    }

    @Test
    void partitionsMayBeSeveral() {
        assertThat(batch(
                        "INSERT INTO t (k, c, v) VALUES (1, 1, 10) IF NOT EXISTS",
                        "INSERT INTO t (k, c, v) VALUES (2, 1, 20) IF NOT EXISTS",
                        "UPDATE u SET v = 5 WHERE k = 7"))
                .containsExactly("true");
        assertThat(shop.plain("SELECT v FROM u WHERE k = 7")).containsExactly("5");
        assertThatThrownBy(() -> batch(
                        "INSERT INTO t (k, c, v) VALUES (1, 1, 10) IF NOT EXISTS",
                        "UPDATE u SET v = 5 WHERE k = 7 IF v = 5"))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("rows of one table")
                .hasMessageContaining("BEGIN TRANSACTION LET");
    }

    /** As drivers send them: each with values of its own. */
    @Test
    void aBatchOfPreparedStatementsIsTheSame() {
        Plan both = Plan.joined(List.of(
                shop.plainPlan("UPDATE t SET v = ? WHERE k = 1 AND c = ? IF v = ?"),
                shop.plainPlan("INSERT INTO t (k, c, v) VALUES (1, ?, ?)"),
                shop.plainPlan("INSERT INTO t (k, c, v) VALUES (1, ?, ?) IF NOT EXISTS")));

        assertThat(shop.run(both, 11, 1, null, 2, 20, 3, 30)).containsExactly("true");
        assertThat(shop.run(both, 12, 1, 11, 2, 21, 3, 31))
                .containsExactly("false, 1, 1, null, 11", "false, 1, 3, null, 30");
        assertThat(rows()).containsExactly("1, 1, 11, null", "1, 2, 20, null", "1, 3, 30, null");
    }

    @Test
    void keysOfTheMomentAreTheSameForWhatIsAskedAndWhatIsWritten() {
        Shop moments = new Shop("CREATE TABLE m (id uuid PRIMARY KEY, v int)");
        Plan both = Plan.joined(List.of(
                moments.plainPlan("INSERT INTO m (id, v) VALUES (uuid(), ?) IF NOT EXISTS"),
                moments.plainPlan("INSERT INTO m (id, v) VALUES (uuid(), ?) IF NOT EXISTS")));
        assertThat(moments.run(both, 1, 2)).containsExactly("true");
    }

    @Test
    void whatIsNoSuchBatchIsRefused() {
        for (String bad : List.of(
                "DELETE FROM t WHERE k = 1 IF EXISTS",
                "UPDATE t SET v = 1 WHERE k = 1 AND c IN (1, 2) IF v = 1",
                "SELECT * FROM t WHERE k = 1")) {
            assertThatThrownBy(() -> batch(bad)).as(bad).isInstanceOf(RuntimeException.class);
        }
    }

    @Test
    void whatIsSaidNotToExpireDoesNot() {
        assertThat(shop.plain("INSERT INTO t (k, c, v) VALUES (1, 1, 1) IF NOT EXISTS USING TTL 0"))
                .containsExactly("true");
        shop.plain("UPDATE t USING TTL 0 SET v = 2 WHERE k = 1 AND c = 1 IF v = 1");
        shop.plain("INSERT INTO t (k, c, v) VALUES (1, 2, 3) USING TTL 0");
        assertThat(rows()).containsExactly("1, 1, 2, null", "1, 2, 3, null");
        for (String bad : List.of(
                "UPDATE t USING TTL 0 AND TIMESTAMP 5 SET v = 2 WHERE k = 1 AND c = 1",
                "INSERT INTO t (k, c, v) VALUES (1, 1, 1) USING TIMESTAMP 0")) {
            assertThatThrownBy(() -> shop.plain(bad)).as(bad).hasMessageContaining("place in the order is its time");
        }
    }
}
