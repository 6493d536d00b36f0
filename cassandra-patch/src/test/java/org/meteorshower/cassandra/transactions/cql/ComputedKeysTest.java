/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.exceptions.RequestValidationException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.meteorshower.transactions.log.Formats;

/** Keys and bounds that follow from rows, and one value of several rows. */
class ComputedKeysTest {
    private final Shop shop = new Shop(
            "CREATE TABLE district (w int, d int, next int, name text, PRIMARY KEY ((w, d)))",
            "CREATE TABLE orders (w int, d int, o int, c int, at bigint, s int static, PRIMARY KEY ((w, d), o))",
            "CREATE TABLE lines (w int, d int, o int, n int, item text, amount decimal, PRIMARY KEY ((w, d), o, n))"
                    + " WITH CLUSTERING ORDER BY (o DESC, n ASC)",
            "CREATE TABLE bare (k int PRIMARY KEY, v int)",
            "CREATE TABLE loose (k int, c frozen<list<int>>, v int, PRIMARY KEY (k, c))",
            "CREATE TABLE texts (k int, c decimal, t uuid, v int, PRIMARY KEY (k, c, t))");

    @BeforeEach
    void rows() {
        shop.plain("INSERT INTO district (w, d, next, name) VALUES (1, 1, 4, 'north')");
        shop.plain("INSERT INTO district (w, d) VALUES (1, 2)");
        for (int o = 1; o <= 3; o++) {
            shop.plain("INSERT INTO orders (w, d, o, c) VALUES (1, 1, ?, ?)", o, 10 * o);
            for (int n = 1; n <= 2; n++) {
                shop.plain("INSERT INTO lines (w, d, o, n, item, amount) VALUES (1, 1, ?, ?, 'nut', 1.5)", o, n);
            }
        }
    }

    private List<String> run(String text, Object... values) {
        return shop.run("BEGIN TRANSACTION " + text + " COMMIT TRANSACTION", values);
    }

    @Test
    void anOrderTakesItsNumberFromTheDistrict() {
        String text = "LET d = (SELECT next FROM district WHERE w = 1 AND d = ?);"
                + " SELECT d.next;"
                + " UPDATE district SET next += 1 WHERE w = 1 AND d = 1;"
                + " INSERT INTO orders (w, d, o, c) VALUES (1, ?, d.next, :customer);"
                + " INSERT INTO lines (w, d, o, n, item, amount) VALUES (1, 1, d.next, 1, 'bolt', 2.5);"
                + " INSERT INTO lines (w, d, o, n, item, amount) VALUES (1, 1, d.next, :second, 'nut', 3.5);";
        assertThat(run(text, 1, 1, 77, 2)).containsExactly("4");
        assertThat(run(text, 1, 1, 78, 2)).containsExactly("5");
        assertThat(shop.plain("SELECT o, c FROM orders WHERE w = 1 AND d = 1 AND o > 3"))
                .containsExactly("4, 77", "5, 78");
        assertThat(shop.plain("SELECT o, n, item, amount FROM lines WHERE w = 1 AND d = 1 AND o = 5"))
                .containsExactly("5, 1, 'bolt', 2.5", "5, 2, 'nut', 3.5");
    }

    @Test
    void rowsAreFoundByWhatWasFound() {
        assertThat(run("LET first = (SELECT o FROM orders WHERE w = 1 AND d = 1 LIMIT 1);"
                        + " LET o = (SELECT c, o FROM orders WHERE w = 1 AND d = 1 AND o = first.o + 1);"
                        + " LET l = (SELECT item, n, w FROM lines WHERE w = 1 AND d = 1 AND o = o.o AND n = first.o + 1);"
                        + " SELECT o.c, l.item, l.n, l.w;"))
                .containsExactly("20, 'nut', 2, 1");
        assertThat(run("LET d = (SELECT next FROM district WHERE w = 1 AND d = 2);"
                        + " LET o = (SELECT c FROM orders WHERE w = 1 AND d = 1 AND o = d.next);"
                        + " SELECT o.c; IF o IS NULL THEN DELETE FROM orders WHERE w = 1 AND d = 1 AND o = 1; END IF"))
                .as("null is compared with nothing")
                .containsExactly("null");
        assertThat(shop.plain("SELECT o FROM orders WHERE w = 1 AND d = 1")).containsExactly("2", "3");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT o FROM orders WHERE w = 1 AND d = 1 AND o >= d.next - 2 AND o < d.next | 2; 3",
                "SELECT o FROM orders WHERE w = 1 AND d = 1 AND o > d.next - 2 | 3",
                "SELECT o FROM orders WHERE o <= d.next - 2 AND w = 1 AND d = 1 ORDER BY o DESC LIMIT 1 | 2",
                "SELECT o FROM orders WHERE w = 1 AND d = 1 AND o < 3 AND o > d.next - 3 | 2",
                "SELECT c FROM orders WHERE w = 1 AND d = 1 AND o = d.next - 1 | 30",
                "SELECT c, s FROM orders WHERE w = 1 AND d = 1 AND o = d.next | ''",
                "SELECT o, n FROM lines WHERE w = 1 AND d = 1 AND o = d.next - 1 AND n > 1 | 3, 2",
                "SELECT o, n FROM lines WHERE w = 1 AND d = 1 AND o > d.next - 2 | 3, 1; 3, 2",
                "SELECT o, n FROM lines WHERE w = 1 AND d = 1 AND o <= d.next - 2 LIMIT 3 | 2, 1; 2, 2; 1, 1",
                "SELECT o, n FROM lines WHERE w = 1 AND d = 1 AND o >= d.next - 3 AND o < d.next - 2 | 1, 1; 1, 2",
                "SELECT o FROM orders WHERE w = 1 AND d = 1 AND o > d.next AND o < d.next - 2 | ''",
            })
    void boundsFollowFromRows(String select, String rows) {
        List<String> expected = rows.isEmpty() ? List.of() : List.of(rows.split("; "));
        assertThat(run("LET d = (SELECT next FROM district WHERE w = 1 AND d = 1); " + select + ";"))
                .containsExactlyElementsOf(expected);
    }

    @Test
    void staticColumnsComeWithTheRowsThatAreFound() {
        shop.plain("UPDATE orders SET s = 9 WHERE w = 1 AND d = 1");
        String found = "LET d = (SELECT next FROM district WHERE w = 1 AND d = 1);"
                + " SELECT c, s FROM orders WHERE w = 1 AND d = 1 AND o = d.next - 1;";
        assertThat(run(found)).containsExactly("30, 9");
        assertThat(run(found.replace(" - 1;", ";"))).isEmpty();
        assertThat(run("LET d = (SELECT next FROM district WHERE w = 1 AND d = 1);"
                        + " LET o = (SELECT s, c FROM orders WHERE w = 1 AND d = 1 AND o = d.next); SELECT o.s, o.c;"))
                .containsExactly("9, null");
    }

    @Test
    void rowsAreChangedAndDeletedByWhatWasFound() {
        String let = "LET n = (SELECT o FROM orders WHERE w = 1 AND d = 1 ORDER BY o DESC LIMIT 1);";
        run(let + " UPDATE orders SET c += 5, at = 7 WHERE w = 1 AND d = 1 AND o = n.o;"
                + " UPDATE orders SET c = c * 2 WHERE w = 1 AND d = 1 AND o = n.o - 1;");
        assertThat(shop.plain("SELECT o, c, at FROM orders WHERE w = 1 AND d = 1"))
                .containsExactly("1, 10, null", "2, 40, null", "3, 35, 7");
        run(let + " DELETE at FROM orders WHERE w = 1 AND d = 1 AND o = n.o;"
                + " DELETE FROM orders WHERE w = 1 AND d = 1 AND o = n.o - 2;"
                + " DELETE FROM lines WHERE w = 1 AND d = 1 AND o >= n.o - 1;");
        assertThat(shop.plain("SELECT o, c, at FROM orders WHERE w = 1 AND d = 1"))
                .containsExactly("2, 40, null", "3, 35, null");
        assertThat(shop.plain("SELECT o, n FROM lines WHERE w = 1 AND d = 1")).containsExactly("1, 1", "1, 2");
        run(let + " DELETE FROM lines WHERE w = 1 AND d = 1 AND o = n.o - 2 AND n = n.o - 2;");
        assertThat(shop.plain("SELECT o, n FROM lines WHERE w = 1 AND d = 1")).containsExactly("1, 2");
    }

    @Test
    void aKeyThatIsNullFailsTheTransactionThatWouldWriteIt() {
        String let = "LET d = (SELECT next FROM district WHERE w = 1 AND d = 2);";
        assertThatThrownBy(() -> run(let + " INSERT INTO orders (w, d, o) VALUES (1, 1, d.next);"))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("a row's key was computed, and is null");
        run(let + " DELETE FROM orders WHERE w = 1 AND d = 1 AND o = d.next;"
                + " DELETE FROM orders WHERE w = 1 AND d = 1 AND o < d.next;");
        assertThat(shop.plain("SELECT o FROM orders WHERE w = 1 AND d = 1")).hasSize(3);
    }

    @Test
    void theSameRowHasOneKeyWhoeverNamesIt() {
        shop.plain("INSERT INTO texts (k, c, t, v) VALUES (1, 1.0, 00000000-0000-4000-8000-000000000001, 1)");
        run("LET r = (SELECT c, t FROM texts WHERE k = 1 LIMIT 1);"
                + " UPDATE texts SET v += 1 WHERE k = 1 AND c = r.c AND t = r.t;"
                + " UPDATE texts SET v += 1 WHERE k = 1 AND c = r.c + 0.00 AND t = r.t;"
                + " UPDATE texts SET v += 1 WHERE k = 1 AND c = 1.000 AND t = 00000000-0000-4000-8000-000000000001;");
        assertThat(shop.plain("SELECT v FROM texts WHERE k = 1")).containsExactly("4");
    }

    @Test
    void severalRowsGiveOneValue() {
        assertThat(run("LET d = (SELECT next FROM district WHERE w = 1 AND d = 1);"
                        + " LET s = (SELECT sum(amount) AS total, count(*) AS n, min(item) AS least, max(o) AS last,"
                        + " count(item) AS items FROM lines WHERE w = 1 AND d = 1 AND o >= d.next - 2);"
                        + " SELECT s.total, s.n, s.least, s.last, s.items, s.total / s.n AS mean;"))
                .containsExactly("6.0, 4, 'nut', 3, 4, 1.5");
        assertThat(run("LET s = (SELECT sum(amount) AS total, count(1) AS n, max(o) AS last FROM lines"
                        + " WHERE w = 9 AND d = 1); SELECT s.total, s.n, s.last;"))
                .containsExactly("0, 0, null");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT avg(c) AS m FROM orders WHERE w = 1 AND d = 1 | a sum divided by a count",
                "SELECT sum(c) FROM orders WHERE w = 1 AND d = 1 | AS <name>",
                "SELECT sum(c) AS a, o FROM orders WHERE w = 1 AND d = 1 | nothing beside them",
                "SELECT sum(item) AS a FROM lines WHERE w = 1 AND d = 1 | Invalid call to function sum",
                "SELECT sum(c) AS a FROM orders WHERE w = 1 AND d = 1 AND o = 1 | range of one partition",
                "SELECT sum(c) AS a FROM orders WHERE w = 1 AND d = 1 LIMIT 1 | without LIMIT",
                "SELECT max(w) AS a FROM orders WHERE w = 1 AND d = 1 | the same for all rows",
                "SELECT min(t) AS a FROM texts WHERE k = 1 | have no order",
            })
    void whatIsNotMadeOfRowsIsRefused(String select, String why) {
        assertThatThrownBy(() -> run("LET a = (" + select + "); SELECT a.a;"))
                .isInstanceOf(RequestValidationException.class)
                .hasMessageContaining(why);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "UPDATE district SET name = 'x' WHERE w = 1 AND d = n.next | which partition",
                "INSERT INTO district (w, d, name) VALUES (1, n.next, 'x') | which partition",
                "UPDATE bare SET v = 1 WHERE k = n.next | which partition",
                "INSERT INTO lines (w, d, o, item) VALUES (1, 1, n.next, 'x') | n is missing",
                "UPDATE lines SET item = 'x' WHERE w = 1 AND d = 1 AND o = n.next | whole primary key",
                "UPDATE orders SET c = 1 WHERE w = 1 AND d = 1 AND o > n.next | whole primary key",
                "UPDATE lines SET item = 'x' WHERE w = 1 AND d = 1 AND n = n.next | each clustering column before",
                "DELETE FROM lines WHERE w = 1 AND d = 1 AND n = n.next | each clustering column before",
                "UPDATE orders SET s = 1 WHERE w = 1 AND d = 1 AND o = n.next | only static columns",
                "INSERT INTO orders (w, d, o, s) VALUES (1, 1, n.next, 1) | static columns belong",
                "UPDATE orders SET c = o WHERE w = 1 AND d = 1 AND o = n.next | write what it is computed from",
                "UPDATE orders SET c = 1 WHERE w = 1 AND d = 1 AND o IN (n.next, 2) | may compare one clustering column",
                "DELETE FROM lines WHERE w = 1 AND d = 1 AND (o, n) > (n.next, 1) | may compare one clustering column",
                "DELETE FROM orders WHERE w = 1 AND d = 1 AND o = abs(n.next) | cannot stand within a function",
                "DELETE FROM orders WHERE w = 1 AND d = 1 AND o > n.next AND o > 1 | more often than with one value",
                "DELETE FROM orders WHERE w = 1 AND d = 1 AND o = n.name | cannot take n.name",
                "DELETE FROM orders WHERE w = 1 AND o = n.next | d",
                "UPDATE loose SET v = 1 WHERE k = 1 AND c = n.next | cannot be computed",
            })
    void whatCannotBeComputedIsRefused(String write, String why) {
        assertThatThrownBy(() -> run("LET n = (SELECT * FROM district WHERE w = 1 AND d = 1); " + write + ";"))
                .isInstanceOf(RequestValidationException.class)
                .hasMessageContaining(why);
    }

    @Test
    void rowsOfManyPartitionsAreNotFoundByWhatIsComputed() {
        for (String select : List.of(
                "SELECT o FROM orders WHERE w = 1 AND d IN (1, 2) AND o = n.next",
                "SELECT o FROM orders WHERE o = n.next",
                "SELECT o FROM orders WHERE w = 1 AND d = 1 AND c = n.next",
                "SELECT s FROM orders WHERE w = 1 AND d = 1 AND o = n.next")) {
            assertThatThrownBy(() -> run("LET n = (SELECT * FROM district WHERE w = 1 AND d = 1); " + select + ";"))
                    .as(select)
                    .isInstanceOf(RequestValidationException.class);
        }
    }

    @Test
    void onlyWhatIsComputedNeedsTheLaterFormat() {
        String let = "BEGIN TRANSACTION LET n = (SELECT o FROM orders WHERE w = 1 AND d = 1 LIMIT 1); ";
        assertThat(shop.plan(let + "SELECT n.o; COMMIT TRANSACTION").format()).isEqualTo(Formats.PROPOSES_RANGES);
        assertThat(shop.plan(let + "INSERT INTO orders (w, d, o) VALUES (1, 1, n.o); COMMIT TRANSACTION")
                        .format())
                .isEqualTo(Formats.PROPOSES_COMPUTED);
        assertThat(shop.plan("BEGIN TRANSACTION LET n = (SELECT count(*) AS x FROM orders WHERE w = 1 AND d = 1);"
                                + " SELECT n.x; COMMIT TRANSACTION")
                        .format())
                .isEqualTo(Formats.PROPOSES_COMPUTED);
        assertThat(shop.plan("BEGIN TRANSACTION SELECT v FROM bare WHERE k = 1; COMMIT TRANSACTION")
                        .format())
                .isEqualTo(Formats.FIRST);
    }
}
