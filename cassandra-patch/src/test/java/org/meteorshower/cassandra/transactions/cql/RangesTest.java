/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.exceptions.RequestValidationException;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.meteorshower.transactions.language.Range;
import org.meteorshower.transactions.language.Statement;

/** Ranges of a partition: those rows are meant that Cassandra would read, and come in its order. */
class RangesTest {
    private final Shop shop = new Shop(
            "CREATE TABLE t (k int, c int, v int, s int static, x text, PRIMARY KEY (k, c))",
            "CREATE TABLE d (k int, a int, b int, v int, PRIMARY KEY (k, a, b)) WITH CLUSTERING ORDER BY (a ASC, b DESC)",
            "CREATE TABLE w (k int, a int, b int, v int, PRIMARY KEY (k, a, b))",
            "CREATE TABLE l (k text, c decimal, l list<text>, m map<text, int>, PRIMARY KEY (k, c))"
                    + " WITH CLUSTERING ORDER BY (c DESC)",
            "CREATE TABLE u (k int, c frozen<tuple<int, int>>, v int, PRIMARY KEY (k, c))",
            "CREATE TABLE times (k int, c timeuuid, PRIMARY KEY (k, c))",
            "CREATE TABLE p (k int, j int, c int, v int, PRIMARY KEY ((k, j), c))");

    @BeforeEach
    void rows() {
        for (int c = 1; c <= 5; c++) {
            shop.plain("INSERT INTO t (k, c, v, x) VALUES (1, ?, ?, 'x')", c, 10 * c);
        }
        shop.plain("INSERT INTO t (k, c) VALUES (2, 7)");
        for (int a = 1; a <= 3; a++) {
            for (int b = 1; b <= 3; b++) {
                shop.plain("INSERT INTO d (k, a, b, v) VALUES (1, ?, ?, 0)", a, b);
                shop.plain("INSERT INTO w (k, a, b, v) VALUES (1, ?, ?, 0)", a, b);
            }
        }
    }

    private List<String> run(String text, Object... values) {
        return shop.run("BEGIN TRANSACTION " + text + " COMMIT TRANSACTION", values);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT c, v FROM t WHERE k = 1 | 1, 10; 2, 20; 3, 30; 4, 40; 5, 50",
                "SELECT c FROM t WHERE k = 1 AND c > 2 | 3; 4; 5",
                "SELECT c FROM t WHERE k = 1 AND c >= 2 AND c < 4 | 2; 3",
                "SELECT c FROM t WHERE k = 1 AND c <= 2 | 1; 2",
                "SELECT c FROM t WHERE k = 1 AND c > 3 AND c < 3 | ''",
                "SELECT c FROM t WHERE k = 1 AND c > 5 AND c < 2 | ''",
                "SELECT c FROM t WHERE k = 3 | ''",
                "SELECT c FROM t WHERE k = 1 LIMIT 2 | 1; 2",
                "SELECT c FROM t WHERE k = 1 PER PARTITION LIMIT 3 | 1; 2; 3",
                "SELECT c FROM t WHERE k = 1 PER PARTITION LIMIT 3 LIMIT 2 | 1; 2",
                "SELECT c FROM t WHERE k = 1 ORDER BY c DESC | 5; 4; 3; 2; 1",
                "SELECT c FROM t WHERE k = 1 AND c < 4 ORDER BY c DESC LIMIT 2 | 3; 2",
                "SELECT c FROM t WHERE k IN (1) AND c < 3 | 1; 2",
                "SELECT k FROM t WHERE k = 1 AND c > 3 | 1; 1",
                "SELECT v + 1 AS more, CAST(c AS text) FROM t WHERE k = 1 AND c > 4 | 51, '5'",
                "SELECT c, v, x FROM t WHERE k = 2 | 7, null, null",
                "SELECT a, b FROM d WHERE k = 1 AND a = 2 | 2, 3; 2, 2; 2, 1",
                "SELECT a, b FROM d WHERE k = 1 AND a = 2 AND b > 1 | 2, 3; 2, 2",
                "SELECT a, b FROM d WHERE k = 1 AND a = 2 AND b >= 1 AND b < 3 | 2, 2; 2, 1",
                "SELECT a, b FROM d WHERE k = 1 AND a = 2 AND b < 3 ORDER BY a DESC, b ASC | 2, 1; 2, 2",
                "SELECT a, b FROM d WHERE k = 1 AND a > 1 LIMIT 4 | 2, 3; 2, 2; 2, 1; 3, 3",
                "SELECT a, b FROM d WHERE k = 1 ORDER BY a DESC LIMIT 1 | 3, 1",
                "SELECT a, b FROM w WHERE k = 1 AND (a, b) > (2, 1) | 2, 2; 2, 3; 3, 1; 3, 2; 3, 3",
                "SELECT a, b FROM w WHERE k = 1 AND (a, b) >= (2, 3) AND (a) < (3) | 2, 3",
                "SELECT a, b FROM w WHERE k = 1 AND (a, b) > (1, 3) AND (a, b) <= (2, 2) | 2, 1; 2, 2",
            })
    void theRowsAreThoseThatCassandraWouldRead(String select, String rows) {
        List<String> expected = rows.isEmpty() ? List.of() : List.of(rows.split("; "));
        assertThat(run(select + ";")).containsExactlyElementsOf(expected);
        assertThat(shop.plain(select)).containsExactlyElementsOf(expected);
    }

    @Test
    void boundsAndLimitsAreBound() {
        String text = "SELECT c FROM t WHERE k = ? AND c > ? AND c <= :last LIMIT ?;";
        assertThat(run(text, 1, 1, 5, 3)).containsExactly("2", "3", "4");
        assertThat(run(text, 1, 3, 4, 500)).containsExactly("4");
        assertThat(run(text, 1, 1, 5, ByteBufferUtil.UNSET_BYTE_BUFFER)).containsExactly("2", "3", "4", "5");
        assertThatThrownBy(() -> run(text, 1, 1, 5, 501))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("LIMIT 501")
                .hasMessageContaining("at most 500 rows");
        assertThatThrownBy(() -> run(text, 1, 1, 5, 0)).hasMessageContaining("LIMIT must be strictly positive");
        assertThatThrownBy(() -> run(text, 1, null, 5, 1))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("c cannot be compared with null");
    }

    @Test
    void whatTheCoreIsAskedForIsTheSliceInTheTablesOrder() {
        Plan plan = shop.plan("BEGIN TRANSACTION SELECT v FROM d WHERE k = 1 AND a = 2 AND b > 1"
                + " ORDER BY a DESC LIMIT 7; COMMIT TRANSACTION");
        Binding binding = new Binding(QueryOptions.forInternalCalls(ConsistencyLevel.QUORUM, List.of()), shop.client());
        Range range = (Range) ((Statement.Find) plan.bind(binding).body().get(0)).range();

        assertThat(plan.bind(binding).rows()).isEmpty();
        assertThat(range.partition().partition()).isEqualTo("00000001");
        assertThat(range.backward()).isTrue();
        assertThat(range.most()).isEqualTo(7);
        assertThat(range.from().values()).hasSize(1);
        assertThat(range.from().included()).isTrue();
        assertThat(range.to().values()).as("b is descending").hasSize(2);
        assertThat(range.to().included()).isFalse();
        assertThat(range.order().columns().get(0).descending()).isFalse();
        assertThat(range.order().columns().get(1).descending()).isTrue();
    }

    @Test
    void cassandraMakesTheResult() {
        assertThat(run("SELECT JSON c, v FROM t WHERE k = 1 AND c > 4;")).containsExactly("'{\"c\": 5, \"v\": 50}'");
        assertThat(Shop.namesOf(
                        shop.plan("BEGIN TRANSACTION SELECT c AS d, v + 1 FROM t WHERE k = 1; COMMIT TRANSACTION")))
                .containsExactly("d", "v + 1");
    }

    @Test
    void whatTheTransactionWroteBeforeIsSeen() {
        assertThat(run("INSERT INTO t (k, c, v) VALUES (1, 9, 90); DELETE FROM t WHERE k = 1 AND c = 2;"
                        + " UPDATE t SET v += 1 WHERE k = 1 AND c = 3; SELECT c, v FROM t WHERE k = 1 AND c > 1;"))
                .containsExactly("3, 31", "4, 40", "5, 50", "9, 90");
    }

    /** As in Cassandra: where a whole partition is asked for its static columns are a row, if there is no other. */
    @Test
    void staticColumnsComeWithTheRows() {
        shop.plain("UPDATE t SET s = 5 WHERE k = 1");
        shop.plain("UPDATE t SET s = 6 WHERE k = 3");

        assertThat(run("SELECT c, s FROM t WHERE k = 1 AND c > 3;")).containsExactly("4, 5", "5, 5");
        assertThat(run("SELECT c + s AS sum FROM t WHERE k = 1 AND c > 3;")).containsExactly("9", "10");
        assertThat(run("SELECT k, c, s, v FROM t WHERE k = 3;")).containsExactly("3, null, 6, null");
        assertThat(run("SELECT * FROM t WHERE k = 3 LIMIT 1;")).containsExactly("3, null, 6, null, null");
        assertThat(run("SELECT c, v FROM t WHERE k = 3;")).isEmpty();
        assertThat(run("SELECT c, s FROM t WHERE k = 3 AND c > 0;")).isEmpty();
        assertThat(run("SELECT c, s FROM t WHERE k = 3 AND c > 2 AND c < 1;")).isEmpty();
    }

    @Test
    void collectionsAndNumbersOfManyDigitsComeBack() {
        shop.plain("INSERT INTO l (k, c, l, m) VALUES ('a', 1.50, ['x', 'y'], {'z': 1})");
        shop.plain("INSERT INTO l (k, c) VALUES ('a', -2)");

        assertThat(run("SELECT c, l, m FROM l WHERE k = 'a';"))
                .containsExactly("1.5, ['x', 'y'], {'z': 1}", "-2, null, null");
        assertThat(run("SELECT c FROM l WHERE k = 'a' AND c >= ?;", new BigDecimal("1.5000")))
                .containsExactly("1.5");
        assertThat(run("SELECT c FROM l WHERE k = 'a' AND c > ?;", new BigDecimal("1.5000")))
                .isEmpty();
        assertThat(run("LET r = (SELECT l, m FROM l WHERE k = 'a' LIMIT 1); SELECT r.l, r.l[1], r.m['z'];"))
                .containsExactly("['x', 'y'], 'y', 1");
    }

    @Test
    void letBindsTheFirstRow() {
        assertThat(run("LET r = (SELECT * FROM t WHERE k = 1 LIMIT 1); SELECT r.*;"))
                .containsExactly("1, 1, null, 10, 'x'");
        assertThat(run(
                        "LET r = (SELECT c, v FROM t WHERE k = 1 AND c < 4 ORDER BY c DESC LIMIT ?);"
                                + " SELECT r.c, r.v + 1;",
                        1))
                .containsExactly("3, 31");
        assertThat(run("LET r = (SELECT k, c, v FROM t WHERE k = 9 LIMIT 1); SELECT r.k, r.c, r.v;"))
                .containsExactly("null, null, null");
        assertThat(run("LET r = (SELECT c FROM t WHERE k = 1 AND c > 3 AND c < 2 LIMIT 1); SELECT r.c;"))
                .containsExactly("null");
        assertThat(run("LET r = (SELECT j, k, v FROM p WHERE k = 1 AND j = 2 LIMIT 1);"
                        + " INSERT INTO p (k, j, c, v) VALUES (1, 2, 3, 4); SELECT r.j;"))
                .containsExactly("null");
        assertThat(run("LET r = (SELECT j, k, v FROM p WHERE k = 1 AND j = 2 LIMIT 1); SELECT r.k, r.j, r.v;"))
                .containsExactly("1, 2, 4");
        shop.plain("UPDATE t SET s = 6 WHERE k = 3");
        assertThat(run("LET r = (SELECT c, s FROM t WHERE k = 3 LIMIT 1); SELECT r.s, r.c;"))
                .containsExactly("6, null");
    }

    @Test
    void whatLetHasBoundIsAskedAboutAndPutIntoRows() {
        String queue = "LET first = (SELECT c, v FROM t WHERE k = 1 LIMIT 1);"
                + " LET last = (SELECT c FROM t WHERE k = 1 ORDER BY c DESC LIMIT 1);"
                + " IF first IS NOT NULL AND last.c = 5 THEN"
                + " UPDATE t SET v = first.v + last.c WHERE k = 2 AND c = 7;"
                + " DELETE FROM t WHERE k = 1 AND c >= 4;"
                + " ELSE IF first IS NULL THEN INSERT INTO t (k, c) VALUES (4, 4); END IF";
        run(queue);
        assertThat(run("SELECT v FROM t WHERE k = 2 AND c = 7;")).containsExactly("15");
        assertThat(run("SELECT c FROM t WHERE k = 1;")).containsExactly("1", "2", "3");
        run(queue);
        assertThat(run("SELECT c FROM t WHERE k = 4;")).isEmpty();
        run("DELETE FROM t WHERE k = 1;");
        run(queue);
        assertThat(run("SELECT c FROM t WHERE k = 4;")).containsExactly("4");
    }

    @Test
    void rangesAreDeleted() {
        shop.plain("UPDATE t SET s = 5 WHERE k = 1");
        shop.plain("DELETE FROM t WHERE k = 1 AND c > ? AND c <= ?", 1, 3);
        assertThat(run("SELECT c FROM t WHERE k = 1;")).containsExactly("1", "4", "5");
        shop.plain("DELETE FROM t WHERE k = 1 AND c > 4 AND c < 2");
        run("DELETE FROM d WHERE k = 1 AND a = 2 AND b >= 2; DELETE FROM w WHERE k = 1 AND (a, b) > (1, 2);");
        assertThat(run("SELECT a, b FROM d WHERE k = 1 AND a <= 2;")).containsExactly("1, 3", "1, 2", "1, 1", "2, 1");
        assertThat(run("SELECT a, b FROM w WHERE k = 1;")).containsExactly("1, 1", "1, 2");
        assertThat(run("SELECT s FROM t WHERE k = 1;")).as("not of the range").containsExactly("5");
        shop.plain("BEGIN BATCH DELETE FROM t WHERE k = 1; INSERT INTO t (k, c, v) VALUES (1, 8, 80); APPLY BATCH");
        assertThat(run("SELECT c, s, v FROM t WHERE k = 1;")).containsExactly("8, null, 80");
    }

    @Test
    void proceduresHaveRanges() {
        Procedure procedure = Procedure.compile(
                new ProcedureId(shop.keyspace(), "p", 1),
                "BEGIN TRANSACTION SELECT c FROM t WHERE k = :k AND c > :c LIMIT :n; DELETE FROM t WHERE k = :k;"
                        + " COMMIT TRANSACTION");
        Plan call = ProcedureCall.plan(
                procedure, ProcedureSyntax.call("CALL p VERSION 1 (1, 2, ?)", shop.keyspace()), "text");

        assertThat(shop.run(call, 2)).containsExactly("3", "4");
        assertThat(shop.run(call, 2)).isEmpty();
        Procedure momentary = Procedure.compile(
                new ProcedureId(shop.keyspace(), "q", 1),
                "BEGIN TRANSACTION SELECT c FROM times WHERE k = 1 AND c > :c; COMMIT TRANSACTION");
        assertThatThrownBy(() -> ProcedureCall.plan(
                        momentary, ProcedureSyntax.call("CALL q VERSION 1 (now())", shop.keyspace()), "text"))
                .hasMessageContaining("compute it in the client");
    }

    @Test
    void whatIsTooMuchIsRefused() {
        for (int i = 0; i < 501; i++) {
            shop.plain("INSERT INTO t (k, c) VALUES (5, ?)", i);
        }
        for (String text : List.of("SELECT c FROM t WHERE k = 5", "DELETE FROM t WHERE k = 5")) {
            assertThatThrownBy(() -> shop.plain(text)).hasMessageContaining("more than 500 rows");
        }
        List<String> all = IntStream.range(1, 501).mapToObj(Integer::toString).toList();
        assertThat(shop.plain("SELECT c FROM t WHERE k = 5 AND c > 0")).isEqualTo(all);
        assertThat(shop.plain("SELECT c FROM t WHERE k = 5 LIMIT 500")).hasSize(500);
        assertThatThrownBy(() -> run("DELETE FROM t WHERE k = 1; ".repeat(17))).hasMessageContaining("at most 16");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT c FROM t WHERE k = 1 LIMIT 501 | at most 500 rows",
                "SELECT c FROM t WHERE k IN (1, 2) | is of 2: write one statement for each",
                "DELETE FROM t WHERE k IN (1, 2) | is of 2: write one statement for each",
                "SELECT v FROM d WHERE k = 1 AND a IN (1, 2) | IN on some of the clustering columns",
                "SELECT v FROM d WHERE k = 1 AND (a, b) > (1, 2) | several columns of both orders",
                "DELETE FROM d WHERE k = 1 AND a IN (1, 2) | IN on some of the clustering columns",
                "SELECT v FROM u WHERE k = 1 | ordered by c, and transactions know no order of values of",
                "DELETE FROM u WHERE k = 1 | no order of values of",
                "SELECT v FROM t | whole primary key",
                "SELECT v FROM t WHERE token(k) > 5 | whole primary key",
                "SELECT v FROM t WHERE k = 1 AND v = 3 ALLOW FILTERING | a filter or an index",
                "SELECT v FROM d WHERE k = 1 AND b = 3 ALLOW FILTERING | a filter or an index",
                "SELECT count(*) FROM t WHERE k = 1 | count them in the client",
                "SELECT v FROM t WHERE k = 1 GROUP BY c | count them in the client",
                "SELECT DISTINCT k, s FROM t WHERE k = 1 | DISTINCT cannot be selected",
                "SELECT writetime(v) FROM t WHERE k = 1 | writetime",
                "SELECT c FROM times WHERE k = 1 AND c > now() | cannot be computed by system.now()",
                "LET r = (SELECT v FROM t WHERE k = 1); SELECT r.v | write LIMIT 1 to bind the first of them",
                "LET r = (SELECT v FROM t WHERE k = 1 AND c > 1 LIMIT 2); SELECT r.v | write LIMIT 1",
                "LET r = (SELECT max(v) FROM t WHERE k = 1 LIMIT 1); SELECT r.v | without LIMIT",
                "LET r = (SELECT v FROM t WHERE k IN (1, 2) LIMIT 1); SELECT r.v | is of 2",
                "DELETE v FROM t WHERE k = 1 | c",
                "DELETE v FROM t WHERE k = 1 AND c > 1 | leave the columns out, to delete its rows",
                "UPDATE t SET v = 1 WHERE k = 1 | Some clustering keys are missing: c",
            })
    void whatIsNoRangeIsRefusedWithItsCure(String body, String told) {
        assertThatThrownBy(() -> run(body + ";"))
                .isInstanceOf(RequestValidationException.class)
                .hasMessageContaining(told);
    }

    @Test
    void aMarkerOfLetIsOne() {
        String text = "LET r = (SELECT v FROM t WHERE k = 1 LIMIT ?); SELECT r.v;";
        ByteBuffer two = Int32Type.instance.decompose(2);
        assertThatThrownBy(() -> run(text, two)).hasMessageContaining("write LIMIT 1");
        assertThatThrownBy(() -> run(text, ByteBufferUtil.UNSET_BYTE_BUFFER)).hasMessageContaining("write LIMIT 1");
    }

    @Test
    void aDeleteThatAsksFirstIsOfOneRow() {
        assertThatThrownBy(() -> shop.plain("DELETE FROM t WHERE k = 1 AND c > 2 IF EXISTS"))
                .hasMessageContaining("is of one row, named by its whole primary key");
        assertThatThrownBy(() -> shop.plain("DELETE FROM t WHERE k = 1 IF s = 5"))
                .hasMessageContaining("is of one row, named by its whole primary key");
    }
}
