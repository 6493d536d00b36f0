/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.meteorshower.cassandra.transactions.RowForm;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.log.Formats;

/** What is set to live for a time ends, and nothing else. */
class TimeToLiveTest {
    private static final ByteBuffer UNSET = ByteBufferUtil.UNSET_BYTE_BUFFER;

    private final Shop shop = new Shop(
            "CREATE TABLE t (k int, c int, v int, w int, s int static, PRIMARY KEY (k, c))",
            "CREATE TABLE d (k int PRIMARY KEY, v int, m map<text, int>) WITH default_time_to_live = 10",
            "CREATE TABLE p (k int PRIMARY KEY, v int, m map<text, int>, l list<int>, o map<text, int>,"
                    + " f frozen<map<text, int>>)");

    private final long beganMillis = System.currentTimeMillis();

    /**
     * Which columns end so many seconds after the test began, or a little later; those of all rows must be one time.
     */
    private Set<String> ending(int seconds) {
        Set<String> columns = new TreeSet<>();
        Set<Long> ends = new TreeSet<>();
        for (Row row : shop.rows()) {
            row.columns().forEach((column, value) -> {
                if (value instanceof Value.Expiring expiring) {
                    columns.add(column);
                    ends.add(expiring.untilMillis());
                }
            });
        }
        long least = beganMillis + 1000L * seconds;
        assertThat(ends).hasSize(columns.isEmpty() ? 0 : 1).allMatch(end -> end >= least && end < least + 100_000);
        return columns;
    }

    private void end(int seconds) {
        shop.end(beganMillis + 1000L * seconds + 100_000);
    }

    private List<String> rows() {
        return shop.plain("SELECT k, c, v, w, s FROM t WHERE k = 1");
    }

    private int format(String text) {
        return shop.plainPlan(text).format();
    }

    @Test
    void anInsertedRowEndsWithAllThatIsInserted() {
        shop.plain("INSERT INTO t (k, c, v, s) VALUES (1, 1, 5, 6) USING TTL 1000");
        assertThat(ending(1000)).containsExactly(RowForm.MARKER, "s", "v");
        shop.plain("UPDATE t SET w = v + 1 WHERE k = 1 AND c = 1");
        assertThat(rows()).as("until then it is as any other").containsExactly("1, 1, 5, 6, 6");
        shop.end(beganMillis + 999_000);
        assertThat(rows()).containsExactly("1, 1, 5, 6, 6");
        end(1000);
        assertThat(rows()).containsExactly("1, 1, null, 6, null");
    }

    @Test
    void anUpdateEndsWhatItSetsAndNothingElse() {
        shop.plain("INSERT INTO t (k, c, v) VALUES (1, 1, 5)");
        shop.plain("UPDATE t USING TTL ? SET v += ?, w = 1, s = null WHERE k = ? AND c = 1", 1000, 2, 1);
        assertThat(ending(1000)).containsExactly("v", "w");
        assertThat(rows()).containsExactly("1, 1, 7, 1, null");
        end(1000);
        assertThat(rows()).containsExactly("1, 1, null, null, null");
        shop.plain("UPDATE t USING TTL 1000 SET v = 1 WHERE k = 1 AND c = 2");
        end(1000);
        assertThat(rows()).as("a row of nothing but that is gone").containsExactly("1, 1, null, null, null");
    }

    @Test
    void whatIsSetAnewWithoutAnEndStays() {
        shop.plain("INSERT INTO t (k, c, v, w) VALUES (1, 1, 5, 5) USING TTL 1000");
        shop.plain("INSERT INTO t (k, c, v) VALUES (1, 1, 6)");
        end(1000);
        assertThat(rows()).containsExactly("1, 1, 6, null, null");
    }

    @Test
    void whoAsksFirstMaySayIt() {
        String insert = "INSERT INTO t (k, c, v) VALUES (1, 1, ?) IF NOT EXISTS USING TTL :ttl";
        assertThat(shop.plain(insert, 5, 1000)).containsExactly("true");
        assertThat(shop.plain(insert, 6, 1000)).containsExactly("false, 1, 1, null, 5, null");
        assertThat(ending(1000)).containsExactly(RowForm.MARKER, "v");
        assertThat(shop.plain("UPDATE t USING TTL 1000 SET w = 1 WHERE k = 1 AND c = 1 IF v = 5"))
                .containsExactly("true");
        end(1000);
        assertThat(shop.plain(insert, 6, 0)).containsExactly("true");
        assertThat(ending(0)).isEmpty();
    }

    @Test
    void allOfABatchEndsTogether() {
        Plan both = Plan.joined(List.of(
                shop.plainPlan("UPDATE t USING TTL ? SET v = ? WHERE k = 1 AND c = ? IF v = null"),
                shop.plainPlan("INSERT INTO t (k, c, v) VALUES (1, ?, 4) USING TTL ?")));
        assertThat(shop.run(both, 1000, 5, 1, 2, 1000)).containsExactly("true");
        assertThat(ending(1000)).containsExactly(RowForm.MARKER, "v");
        shop.plain("BEGIN BATCH UPDATE t SET v = 1 WHERE k = 1 AND c = 1;"
                + " INSERT INTO t (k, c, w) VALUES (1, 2, 1) USING TTL 0; APPLY BATCH");
        end(1000);
        assertThat(rows()).containsExactly("1, 1, 1, null, null", "1, 2, null, 1, null");
    }

    @Test
    void inATransactionKeysMayBeComputed() {
        shop.plain("INSERT INTO t (k, c) VALUES (1, 1)");
        Plan plan = shop.plan("BEGIN TRANSACTION LET r = (SELECT c FROM t WHERE k = 1 LIMIT 1);"
                + " INSERT INTO t (k, c, v) VALUES (1, r.c + 1, 5) USING TTL :ttl;"
                + " UPDATE t USING TTL :ttl SET v = 6 WHERE k = 1 AND c = r.c;"
                + " IF r IS NOT NULL THEN UPDATE t USING TTL 1000 SET w = r.c WHERE k = 1 AND c = r.c; END IF"
                + " COMMIT TRANSACTION");
        assertThat(plan.format()).isEqualTo(Formats.PROPOSES_ENDS);
        shop.run(plan, 1000, 1000);
        assertThat(rows()).containsExactly("1, 1, 6, 1, null", "1, 2, 5, null, null");
        assertThat(ending(1000)).containsExactly(RowForm.MARKER, "v", "w");
        end(1000);
        assertThat(rows()).containsExactly("1, 1, null, null, null");
    }

    @Test
    void aProcedureTakesItAsAParameter() {
        Procedure procedure = Procedure.compile(
                new ProcedureId(shop.keyspace(), "p", 1),
                "BEGIN TRANSACTION UPDATE t USING TTL :ttl SET v = :v WHERE k = 1 AND c = 1;"
                        + " UPDATE t USING TTL :ttl SET v = :v WHERE k = 1 AND c = 2; COMMIT TRANSACTION");
        assertThat(procedure.signature()).isEqualTo("(ttl int, v int)");
        Plan call = ProcedureCall.plan(
                procedure,
                new ProcedureSyntax.Call(procedure.id(), List.of(Fragment.of("1000"), Fragment.of("5")), List.of()),
                "");
        assertThat(call.format()).isEqualTo(Formats.PROPOSES_ENDS);
        shop.run(call);
        assertThat(ending(1000)).containsExactly("v");
    }

    @Test
    void theMarkerIsWhatCassandraSaysOfIt() {
        var markers = shop.plainPlan("UPDATE t USING TTL ? SET v = ? WHERE k = 1 AND c = ?")
                .markers();
        assertThat(markers.stream().map(each -> each.name.toString())).containsExactly("[ttl]", "v", "c");
        assertThat(markers.get(0).type).isEqualTo(Int32Type.instance);
        assertThat(shop.plainPlan("INSERT INTO t (k, c) VALUES (1, ?) USING TTL :a").markers().stream()
                        .map(each -> each.name.toString()))
                .containsExactly("c", "a");
    }

    @Test
    void unsetIsTheTablesDefaultAndNullIsNone() {
        String insert = "INSERT INTO t (k, c, v) VALUES (1, 1, 5) USING TTL ?";
        shop.plain(insert, UNSET);
        shop.plain(insert, (Object) null);
        shop.plain(insert, 0);
        shop.plain("INSERT INTO d (k, v) VALUES (1, 5) USING TTL ?", (Object) null);
        shop.plain("INSERT INTO d (k, v) VALUES (2, 5) USING TTL ?", 0);
        assertThat(ending(0)).isEmpty();
        shop.plain("INSERT INTO d (k, v) VALUES (2, 5) USING TTL ?", UNSET);
        assertThat(ending(10)).containsExactly(RowForm.MARKER, "v");
    }

    @Test
    void aTableMayHaveADefault() {
        shop.plain("INSERT INTO d (k, v) VALUES (1, 5)");
        assertThat(ending(10)).containsExactly(RowForm.MARKER, "v");
        shop.plain("INSERT INTO d (k, v) VALUES (1, 5) USING TTL 0");
        assertThat(ending(0)).isEmpty();
        shop.plain("UPDATE d SET v = 6, m = {'a': 1} WHERE k = 1");
        assertThat(ending(10)).containsExactly("m", "v");
        shop.plain("DELETE m['b'] FROM d WHERE k = 1");
        shop.plain("UPDATE d USING TTL 0 SET m['b'] = 1, v = 1 WHERE k = 1");
        assertThat(ending(0)).isEmpty();
        assertThatThrownBy(() -> shop.plain("UPDATE d SET m['c'] = 1 WHERE k = 1"))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("USING TTL 0");
    }

    @Test
    void whatIsNoTimeIsRefusedAsInCassandra() {
        for (int bad : new int[] {-1, Integer.MIN_VALUE, 630_720_001}) {
            String told = bad < 0
                    ? "A TTL must be greater or equal to 0, but was " + bad
                    : "ttl is too large. requested (" + bad + ") maximum (630720000)";
            assertThatThrownBy(() -> shop.plain("INSERT INTO t (k, c) VALUES (1, 1) USING TTL ?", bad))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessage(told);
            assertThatThrownBy(() -> shop.plainPlan("UPDATE t USING TTL " + bad + " SET v = 1 WHERE k = 1 AND c = 1"))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessage(told);
        }
    }

    @Test
    void collectionsEndAsAWhole() {
        shop.plain("UPDATE p USING TTL 1000 SET m = {'a': 1}, l = [1, 2], f = {'b': 2}, v = 1 WHERE k = 1");
        assertThat(ending(1000)).containsExactly("f", "l", "m", "v");
        shop.plain("UPDATE p USING TTL ? SET m = ?, o = m + {'c': 3} WHERE k = 1", 1000, null);
        assertThat(shop.plain("SELECT m, l, f, o FROM p WHERE k = 1"))
                .containsExactly("null, [1, 2], {'b': 2}, {'c': 3}");
        shop.plain("INSERT INTO p (k, v) VALUES (1, 2)");
        end(1000);
        assertThat(shop.plain("SELECT m, l, f, o, v FROM p WHERE k = 1")).containsExactly("null, null, null, null, 2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "m['a'] = 1",
                "m['a'] = null",
                "m += {'a': 1}",
                "m -= {'a'}",
                "m = m + {'a': 1}",
                "l = [1] + l",
                "l[0] = 1"
            })
    void aPartOfOneDoesNotEndByItself(String change) {
        shop.plain("INSERT INTO p (k, m, l) VALUES (1, {'a': 5}, [5])");
        String whole = "with a TTL a collection is set as a whole, since here its parts end together";
        String end = " SET " + change + " WHERE k = 1";
        assertThatThrownBy(() -> shop.plainPlan("UPDATE p USING TTL 5" + end))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining(whole);
        assertThatThrownBy(() -> shop.plain("UPDATE p USING TTL ?" + end, 5))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining(whole)
                .hasMessageContaining("USING TTL 0");
        shop.plain("UPDATE p USING TTL 0" + end);
        shop.plain("UPDATE p USING TTL ?" + end, 0);
        shop.plain("UPDATE p USING TTL ?" + end, UNSET);
    }

    @Test
    void allDataCentresMustKnowOfWhatMayEndAndOfNothingElse() {
        assertThat(format("INSERT INTO t (k, c) VALUES (1, 1) USING TTL 5")).isEqualTo(Formats.PROPOSES_ENDS);
        assertThat(format("INSERT INTO t (k, c) VALUES (1, 1) USING TTL ?")).isEqualTo(Formats.PROPOSES_ENDS);
        assertThat(format("UPDATE d SET v = 1 WHERE k = 1")).isEqualTo(Formats.PROPOSES_ENDS);
        assertThat(format("UPDATE d USING TTL 0 SET v = 1 WHERE k = 1")).isEqualTo(Formats.FIRST);
        assertThat(format("INSERT INTO t (k, c) VALUES (1, 1) USING TTL 0")).isEqualTo(Formats.FIRST);
        assertThat(format("DELETE v FROM d WHERE k = 1")).isEqualTo(Formats.FIRST);
        assertThat(format("DELETE FROM d WHERE k = 1")).isEqualTo(Formats.FIRST);
    }
}
