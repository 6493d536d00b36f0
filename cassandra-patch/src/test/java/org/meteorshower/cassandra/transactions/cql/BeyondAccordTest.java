/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.Test;

/**
 * What can be written here beyond what the pages of Cassandra 6 show: branches, collections, computed values, all
 * types.
 */
class BeyondAccordTest {
    private final Shop shop = new Shop(
            "CREATE TABLE t (k int, c int, v int, w bigint, s int static, x text, PRIMARY KEY (k, c))",
            "CREATE TABLE n (k int PRIMARY KEY, ti tinyint, si smallint, i int, b bigint, vi varint, d decimal, f float,"
                    + " do double, t text, a ascii, bo boolean, bl blob, u uuid, tu timeuuid, ts timestamp, da date,"
                    + " tm time, ip inet, du duration)",
            "CREATE TABLE l (k int PRIMARY KEY, l list<text>, s set<int>, m map<text, int>, fl frozen<list<int>>)");

    private void row(int k, int c, Integer v) {
        shop.plain("INSERT INTO t (k, c, v) VALUES (?, ?, ?)", k, c, v);
    }

    private List<String> run(String text, Object... values) {
        return shop.run("BEGIN TRANSACTION " + text + " COMMIT TRANSACTION", values);
    }

    private String v(int k, int c) {
        return run("SELECT v FROM t WHERE k = ? AND c = ?;", k, c).toString();
    }

    /** Otherwise another row would be asked about than is written: at midnight, say, where the key is a day. */
    @Test
    void aKeyOfTheMomentIsTheSameForAllOfOneStatement() {
        Shop moments = new Shop("CREATE TABLE u (id uuid PRIMARY KEY, v int)");
        for (String text : List.of(
                "INSERT INTO u (id, v) VALUES (uuid(), 1) IF NOT EXISTS",
                "UPDATE u SET v = 1 WHERE id = uuid() IF v = null",
                "DELETE FROM u WHERE id = uuid() IF EXISTS")) {
            Plan plan = Compiler.compile(ScriptParser.parsePlain(text), moments.client());
            Binding binding =
                    new Binding(QueryOptions.forInternalCalls(ConsistencyLevel.QUORUM, List.of()), moments.client());
            Binding later = new Binding(binding.options(), moments.client());
            assertThat(plan.bind(binding).rows()).as(text).hasSize(1);
            assertThat(plan.bind(later).rows())
                    .as("of each execution its own")
                    .isNotEqualTo(plan.bind(binding).rows());
        }
    }

    @Test
    void elseRunsWhereTheConditionDoesNotHold() {
        row(1, 1, 5);
        String text = "LET r = (SELECT v FROM t WHERE k = 1 AND c = 1);"
                + " IF r.v > 3 THEN UPDATE t SET v = 0 WHERE k = 1 AND c = 1;"
                + " ELSE IF r.v = 0 THEN UPDATE t SET v = 1 WHERE k = 1 AND c = 1;"
                + " ELSE UPDATE t SET v = 9 WHERE k = 1 AND c = 1; END IF";
        run(text);
        assertThat(v(1, 1)).isEqualTo("[0]");
        run(text);
        assertThat(v(1, 1)).isEqualTo("[1]");
        run(text);
        assertThat(v(1, 1)).isEqualTo("[9]");
    }

    @Test
    void ifWithinBranchesEndsByItself() {
        row(1, 1, 5);
        String text = "LET r = (SELECT v FROM t WHERE k = 1 AND c = 1);"
                + " IF r.v > 3 THEN IF r.v > 4 THEN UPDATE t SET v = 4 WHERE k = 1 AND c = 1; END IF"
                + " ELSE IF r.v > 2 THEN IF r.v = 99 THEN DELETE FROM t WHERE k = 1 AND c = 1;"
                + " ELSE UPDATE t SET v = 7 WHERE k = 1 AND c = 1; END IF"
                + " ELSE UPDATE t SET v = 9 WHERE k = 1 AND c = 1; IF r.v = 0 THEN"
                + " UPDATE t SET v += 1 WHERE k = 1 AND c = 1; END IF END IF";
        run(text);
        assertThat(v(1, 1)).isEqualTo("[4]");
        run(text);
        assertThat(v(1, 1)).as("neither of the inner ones").isEqualTo("[4]");
        row(1, 1, 3);
        run(text);
        assertThat(v(1, 1)).isEqualTo("[7]");
        row(1, 1, 0);
        run(text);
        assertThat(v(1, 1)).isEqualTo("[10]");
    }

    @Test
    void conditionsAreCombinedByOrAndBrackets() {
        row(1, 1, 5);
        String text = "LET r = (SELECT v FROM t WHERE k = 1 AND c = 1);"
                + " IF (r.v = 1 OR r.v = 5) AND (r.v + 1) * 2 = 12 AND r.v IN (?, 5) THEN"
                + " UPDATE t SET v = 6 WHERE k = 1 AND c = 1; END IF";
        run(text, 3);
        assertThat(v(1, 1)).isEqualTo("[6]");
        run(
                "LET r = (SELECT v FROM t WHERE k = 1 AND c = 1); IF r.v IN ? THEN"
                        + " UPDATE t SET v = 7 WHERE k = 1 AND c = 1; END IF",
                List.of(4, 6));
        assertThat(v(1, 1)).isEqualTo("[7]");
    }

    @Test
    void valuesAreComputedFromSeveralRows() {
        row(1, 1, 5);
        row(1, 2, 7);
        run("LET a = (SELECT v, c FROM t WHERE k = 1 AND c = 1); LET b = (SELECT v FROM t WHERE k = 1 AND c = 2);"
                + " INSERT INTO t (k, c, v, w) VALUES (2, 2, a.v + b.v * 2 - 1, a.v - 6);"
                + " UPDATE t SET v = v -a.c WHERE k = 1 AND c = 2;");
        assertThat(run("SELECT v, w FROM t WHERE k = 2 AND c = 2;")).containsExactly("18, -1");
        assertThat(v(1, 2)).isEqualTo("[6]");
        run("UPDATE t SET v = v -4 WHERE k = 1 AND c = 2;");
        assertThat(v(1, 2)).isEqualTo("[2]");
    }

    @Test
    void integersWrapAroundAsCassandrasDo() {
        shop.plain("INSERT INTO n (k, ti, i) VALUES (1, 127, 2147483647)");
        run("UPDATE n SET ti = ti + 1, i += 1 WHERE k = 1;");
        assertThat(run("SELECT ti, i FROM n WHERE k = 1;")).containsExactly("-128, -2147483648");
    }

    @Test
    void valuesOfEveryTypeAreKeptAndCompared() {
        String[] columns = {
            "ti = 1",
            "si = 2",
            "i = 3",
            "b = 4",
            "vi = 99999999999999999999",
            "d = 1.50",
            "f = 1.5",
            "do = 2.5",
            "t = 'ä'",
            "a = 'a'",
            "bo = true",
            "bl = 0xcafe",
            "u = 5b6962dd-3f90-4c93-8f61-eabfa4a803e2",
            "tu = 50554d6e-29bb-11e5-b345-feff819cdc9f",
            "ts = '2026-01-01 00:00:00Z'",
            "da = '2026-01-01'",
            "tm = '10:00:00'",
            "ip = '127.0.0.1'",
            "du = 1h"
        };
        run("UPDATE n SET " + String.join(", ", columns) + " WHERE k = 1;");
        for (String column : columns) {
            int equals = column.indexOf('=');
            String name = column.substring(0, equals - 1);
            run("LET r = (SELECT " + name + " FROM n WHERE k = 1); IF r." + name + " =" + column.substring(equals + 1)
                    + " AND r." + name + " IS NOT NULL THEN INSERT INTO t (k, c, x) VALUES (0, 0, '" + name
                    + "'); END IF");
            assertThat(run("SELECT x FROM t WHERE k = 0 AND c = 0;")).containsExactly("'" + name + "'");
        }
        run("LET r = (SELECT d, ts, tu, t, da FROM n WHERE k = 1); IF r.d = 1.5 AND r.d < 2 AND r.ts > '2025-01-01'"
                + " AND r.tu < now() AND r.t > 'z' AND r.da <= '2026-01-01' THEN"
                + " UPDATE n SET i = 77 WHERE k = 1; END IF");
        assertThat(run("SELECT i FROM n WHERE k = 1;")).containsExactly("77");
    }

    @Test
    void numbersOfDifferentTypesAreComparedAndWidened() {
        shop.plain("INSERT INTO n (k, i, b, d) VALUES (1, 3, 4, 0.5)");
        run("LET r = (SELECT i, b, d FROM n WHERE k = 1); IF r.i < r.b AND r.d < r.i THEN"
                + " UPDATE n SET b = r.i + b, d = d + r.b, vi = r.b, do = r.i WHERE k = 1; END IF");
        assertThat(run("SELECT b, d, vi, do FROM n WHERE k = 1;")).containsExactly("7, 4.5, 4, 3.0");
        assertThatThrownBy(() -> run("LET r = (SELECT b FROM n WHERE k = 1); UPDATE n SET i = r.b WHERE k = 1;"))
                .hasMessageContaining("i is int, and cannot take r.b, which is bigint");
    }

    @Test
    void textsAreJoined() {
        shop.plain("INSERT INTO n (k, t) VALUES (1, 'a')");
        run("UPDATE n SET t = t + 'b' WHERE k = 1;");
        assertThat(run("SELECT t FROM n WHERE k = 1;")).containsExactly("'ab'");
    }

    @Test
    void divisionByZeroFailsTheTransaction() {
        row(1, 1, 5);
        assertThatThrownBy(() ->
                        run("UPDATE t SET v = 1 WHERE k = 2 AND c = 2; UPDATE t SET v = v / 0 WHERE k = 1 AND c = 1;"))
                .hasMessageContaining("zero");
        assertThat(v(2, 2)).isEqualTo("[]");
    }

    @Test
    void staticColumnsBelongToTheirPartition() {
        run("UPDATE t SET s = 10 WHERE k = 1; INSERT INTO t (k, c, v, s) VALUES (1, 1, 2, 11);");
        assertThat(run("SELECT s, v FROM t WHERE k = 1 AND c = 1;")).containsExactly("11, 2");
        run("LET p = (SELECT s FROM t WHERE k = 1); IF p.s = 11 THEN UPDATE t SET s = s + 1 WHERE k = 1; END IF");
        assertThat(run("SELECT s FROM t WHERE k = 1;")).containsExactly("12");
        run("DELETE FROM t WHERE k = 1 AND c = 1;");
        assertThat(run("SELECT s, v FROM t WHERE k = 1 AND c = 1;")).isEmpty();
        assertThat(run("SELECT s FROM t WHERE k = 1;")).containsExactly("12");
    }

    @Test
    void aRowIsThereUntilItsLastValueIsGoneUnlessItWasInserted() {
        run("UPDATE t SET v = 1 WHERE k = 1 AND c = 1; INSERT INTO t (k, c) VALUES (1, 2);");
        assertThat(run("SELECT c, v FROM t WHERE k = 1 AND c IN (1, 2);")).containsExactly("1, 1", "2, null");
        run("DELETE v FROM t WHERE k = 1 AND c = 1; DELETE v FROM t WHERE k = 1 AND c = 2;");
        assertThat(run("SELECT c, v FROM t WHERE k = 1 AND c IN (1, 2);")).containsExactly("2, null");
    }

    @Test
    void rowsAreSelectedInCassandrasOrderWithItsFunctions() {
        row(1, 1, 5);
        row(1, 2, 7);
        row(2, 1, 9);
        assertThat(run("SELECT c, v AS value, v * 2 FROM t WHERE k = 1 AND c IN (2, 1) ORDER BY c DESC LIMIT 1;"))
                .containsExactly("2, 7, 14");
        assertThat(run("SELECT cast(v AS text) FROM t WHERE k IN (1, 2) AND c = 1;"))
                .containsExactlyInAnyOrder("'5'", "'9'");
        assertThat(run("LET r = (SELECT * FROM t WHERE k = 1 AND c = 1); SELECT r.*, r.v AS again;"))
                .containsExactly("1, 1, null, 5, null, null, 5");
    }

    @Test
    void collectionsAreChangedInPlace() {
        run("UPDATE l SET l = ['a'], s = {1}, m = {'x': 1} WHERE k = 1;");
        run("UPDATE l SET l = l + ['b'], s += {2}, m = m + {'y': 2} WHERE k = 1;");
        run("UPDATE l SET l = ['0'] + l, s = s - {1}, m['z'] = 3 WHERE k = 1;");
        assertThat(run("SELECT l, s, m FROM l WHERE k = 1;"))
                .containsExactly("['0', 'a', 'b'], {2}, {'x': 1, 'y': 2, 'z': 3}");
        run("UPDATE l SET l[1] = 'A', m = m - {'x'} WHERE k = 1; DELETE l[0], m['y'], s[2] FROM l WHERE k = 1;");
        assertThat(run("SELECT l, s, m FROM l WHERE k = 1;")).containsExactly("['A', 'b'], null, {'z': 3}");
        assertThatThrownBy(() -> run("UPDATE l SET l[7] = 'A' WHERE k = 1;")).hasMessageContaining("no element 7");
        assertThatThrownBy(() -> run("UPDATE l SET fl[0] = 1 WHERE k = 1;")).hasMessageContaining("frozen");
    }

    @Test
    void elementsOfCollectionsAreAskedFor() {
        run("UPDATE l SET l = ['a', 'b'], m = {'x': 1}, s = {4} WHERE k = 1;");
        run(
                "LET r = (SELECT l, m, s FROM l WHERE k = 1); IF r.m['x'] = 1 AND r.l[?] = 'b' AND r.s[4] IS NOT NULL"
                        + " AND r.m['none'] IS NULL THEN UPDATE l SET m['x'] = r.m['x'] + 1 WHERE k = 1; END IF",
                1);
        assertThat(run("LET r = (SELECT m, l FROM l WHERE k = 1); SELECT r.m['x'], r.l;"))
                .containsExactly("2, ['a', 'b']");
    }

    @Test
    void whatIsUnsetStaysAsItIs() {
        row(1, 1, 5);
        run("INSERT INTO t (k, c, v, x) VALUES (1, 1, ?, 'y');", ByteBufferUtil.UNSET_BYTE_BUFFER);
        assertThat(run("SELECT v, x FROM t WHERE k = 1 AND c = 1;")).containsExactly("5, 'y'");
        assertThatThrownBy(() -> run(
                        "LET r = (SELECT v FROM t WHERE k = 1 AND c = 1); IF r.v = ? THEN DELETE FROM t"
                                + " WHERE k = 1 AND c = 1; END IF",
                        ByteBufferUtil.UNSET_BYTE_BUFFER))
                .hasMessageContaining("left unset");
    }

    @Test
    void bindMarkersAreDescribedInTheirOrder() {
        Plan plan = shop.plan("BEGIN TRANSACTION LET r = (SELECT v FROM t WHERE k = :key AND c = ?);"
                + " IF r.v >= :least THEN INSERT INTO l (k, m, s) VALUES (?, :map, {-1}); END IF COMMIT TRANSACTION");
        assertThat(plan.markers().stream().map(each -> each.name + " " + each.type.asCQL3Type()))
                .containsExactly("key int", "c int", "least int", "k int", "map map<text, int>");
        row(1, 1, 1);
        shop.run(plan, 1, 1, 1, 1, Map.of("b", 2));
        assertThat(run("SELECT m FROM l WHERE k = 1;")).containsExactly("{'b': 2}");
    }

    @Test
    void batchesAreTransactions() {
        shop.plain(
                "BEGIN BATCH INSERT INTO t (k, c, v) VALUES (1, 1, 1); UPDATE t SET v = v + ? WHERE k = 1 AND c = 1;"
                        + " APPLY BATCH;",
                4);
        assertThat(v(1, 1)).isEqualTo("[5]");
        Plan both = Plan.joined(List.of(
                Compiler.compile(ScriptParser.parsePlain("UPDATE t SET v = ? WHERE k = 1 AND c = ?"), shop.client()),
                Compiler.compile(ScriptParser.parsePlain("DELETE FROM t WHERE k = ? AND c = 1"), shop.client())));
        shop.run(both, 8, 2, 1);
        assertThat(run("SELECT c, v FROM t WHERE k = 1 AND c IN (1, 2);")).containsExactly("2, 8");
    }

    @Test
    void aWriteThatAsksFirstTellsWhetherItWasDone() {
        assertThat(shop.plain("INSERT INTO t (k, c, v) VALUES (1, 1, 1) IF NOT EXISTS"))
                .containsExactly("true");
        assertThat(shop.plain("INSERT INTO t (k, c, v) VALUES (1, 1, 2) IF NOT EXISTS"))
                .containsExactly("false, 1, 1, null, 1, null, null");
        assertThat(shop.plain("UPDATE t SET v = 5 WHERE k = 1 AND c = 1 IF v = 1 AND w = null"))
                .containsExactly("true");
        assertThat(shop.plain("UPDATE t SET v = 6 WHERE k = 1 AND c = 1 IF v IN (1, 2)"))
                .containsExactly("false, 5");
        assertThat(shop.plain("UPDATE t SET v = 6 WHERE k = 9 AND c = 9 IF v > ?", 3))
                .containsExactly("false");
        assertThat(shop.plain("UPDATE t SET v = 6 WHERE k = 9 AND c = 9 IF EXISTS"))
                .containsExactly("false");
        assertThat(shop.plain("UPDATE t SET v = v + 1 WHERE k = 1 AND c = 1 IF v != 4"))
                .containsExactly("true");
        assertThat(v(1, 1)).isEqualTo("[6]");
        assertThat(shop.plain("DELETE FROM t WHERE k = 1 AND c = 1 IF v = 6")).containsExactly("true");
        assertThat(shop.plain("DELETE FROM t WHERE k = 1 AND c = 1 IF EXISTS")).containsExactly("false");
    }

    @Test
    void theEndThatCqlshKnowsIsAnEnd() {
        assertThat(shop.run("BEGIN TRANSACTION SELECT v FROM t WHERE k = 1 AND c = 1; APPLY TRANSACTION;"))
                .isEmpty();
    }

    @Test
    void boundCollectionsAreTaken() {
        run("UPDATE l SET m = ?, l = l + ? WHERE k = 1;", Map.of("b", 2, "a", 1), List.of("x"));
        assertThat(run("SELECT m, l FROM l WHERE k = 1;")).containsExactly("{'a': 1, 'b': 2}, ['x']");
        ByteBuffer nothing = null;
        run("UPDATE l SET m = ? WHERE k = 1;", nothing);
        assertThat(run("SELECT m, l FROM l WHERE k = 1;")).containsExactly("null, ['x']");
    }
}
