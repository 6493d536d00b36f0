/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.cassandra.exceptions.RequestValidationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What cannot be done is refused before anything happens, and told with its cure. */
class RefusalsTest {
    private final Shop shop = new Shop(
            "CREATE TABLE t (k int, c int, v int, u uuid, x text, PRIMARY KEY (k, c))",
            "CREATE TABLE n (k counter, p int PRIMARY KEY)");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "UPDATE n SET k = k + 1 WHERE p = 1; | use a bigint column",
                "INSERT INTO t (k, c) VALUES (1, 1) USING TTL 5 AND TIMESTAMP 5; | leave it out",
                "INSERT INTO t (k, c) VALUES (1, 1) USING TTL null; | a number of seconds or a bind marker",
                "INSERT INTO t (k, c) VALUES (1, 1) USING TTL 5 AND TTL 6; | not understood",
                "UPDATE t USING TIMESTAMP 5 SET v = 1 WHERE k = 1 AND c = 1; | leave it out",
                "DELETE FROM t USING TIMESTAMP 5 WHERE k = 1 AND c = 1; | leave it out",
                "DELETE v FROM t USING TTL 5 WHERE k = 1 AND c = 1; | what is deleted does not come back",
                "INSERT INTO t (k, c) VALUES (1, 1) IF NOT EXISTS; | bind the row by LET",
                "UPDATE t SET v = 1 WHERE k = 1 AND c = 1 IF v = 2; | bind the row by LET",
                "DELETE FROM t WHERE k = 1 AND c = 1 IF EXISTS; | bind the row by LET",
                "INSERT INTO t JSON '{}'; | name the columns",
                "SELECT * FROM t; | whole primary key",
                "SELECT count(*) FROM t WHERE k = 1 AND c = 1; | count them in the client",
                "SELECT writetime(v) FROM t WHERE k = 1 AND c = 1; | writetime",
                "SELECT v FROM t WHERE k = 1 AND c = cast_as_int(toUnixTimestamp(now())); | compute it in the client, and bind it",
                "LET r = (SELECT max(v) FROM t WHERE k = 1 AND c = 1); SELECT r.v; | are a range of one partition",
                "LET r = (SELECT v FROM t WHERE k = 1 AND c = 1 ORDER BY c); SELECT r.v; | leave out",
                "LET r = (SELECT v FROM t WHERE k = 1 AND c = 1); SELECT r.w; | has not selected w, but v",
                "SELECT r.v; | no LET before this has bound r",
                "LET r = (SELECT v FROM t WHERE k = 1 AND c = 1); SELECT r.v; SELECT r.v; | one result",
                "LET r = (SELECT v FROM t WHERE k = 1 AND c = 1); IF r = 1 THEN DELETE FROM t WHERE k = 1 AND c = 1; END IF | is a row",
                "LET r = (SELECT v FROM t WHERE k = 1 AND c = 1); INSERT INTO t (k, c) VALUES (r.v, 1); | must be known before",
                "LET r = (SELECT v FROM t WHERE k = 1 AND c = 1); UPDATE t SET v = abs(r.v) WHERE k = 1 AND c = 1; | cannot stand within",
                "LET r = (SELECT v FROM t WHERE k = 1 AND c = 1); UPDATE t SET x = r.v WHERE k = 1 AND c = 1; | cannot take r.v",
                "LET r = (SELECT u FROM t WHERE k = 1 AND c = 1); IF r.u < uuid() THEN DELETE FROM t WHERE k = 1 AND c = 1; END IF | not compared",
                "LET r = (SELECT v, x FROM t WHERE k = 1 AND c = 1); IF r.v = r.x THEN DELETE FROM t WHERE k = 1 AND c = 1; END IF | cannot be compared",
                "LET r = (SELECT v FROM t WHERE k = 1 AND c = 1); IF r.v = 1 THEN SELECT r.v; END IF | outside of IF",
                "LET r = (SELECT v FROM t WHERE k = 1 AND c = 1); IF NOT r.v = 1 THEN DELETE FROM t WHERE k = 1 AND c = 1; END IF | NOT is not known",
                "LET r = (SELECT v FROM t WHERE k = 1 AND c = 1); IF r.v = 1 THEN DELETE FROM t WHERE k = 1 AND c = 1; ELSE IF r.v = 2 THEN DELETE FROM t WHERE k = 1 AND c = 1; END IF END IF | one END IF ends",
                "IF 1 = 1 THEN DELETE FROM t WHERE k = 1 AND c = 1; END IF | cannot be told",
                "UPDATE t SET v = 'x' WHERE k = 1 AND c = 1; | Invalid STRING constant",
                "UPDATE t SET nothere = 1 WHERE k = 1 AND c = 1; | nothere",
                "UPDATE nothere SET v = 1 WHERE k = 1; | nothere",
                "UPDATE t SET k = 1 WHERE k = 1 AND c = 1; | PRIMARY KEY",
                "INSERT INTO t (k, c, v) VALUES (1, 1); | Unmatched column names/values",
                "TRUNCATE t; | expected LET",
                "SELECT 1 2; | not understood",
                "UPDATE t SET v = 1; | whole primary key",
                "LET r = (SELECT v FROM t WHERE k = 1 AND c IN (1, 2)); SELECT r.v; | there are 2",
                "\"\" | an empty transaction"
            })
    void whatCannotBeDoneIsRefusedWithItsCure(String body, String told) {
        assertThatThrownBy(() -> shop.run("BEGIN TRANSACTION " + body + " COMMIT TRANSACTION"))
                .isInstanceOf(RequestValidationException.class)
                .hasMessageContaining(told);
    }

    @Test
    void whereTheErrorIsIsSaid() {
        assertThatThrownBy(() -> shop.plan("BEGIN TRANSACTION\n  LET x 5;\nCOMMIT TRANSACTION"))
                .hasMessageContaining("line 2:8 expected = at '5'");
    }

    @Test
    void tooMuchIsRefused() {
        assertThatThrownBy(() -> shop.plan("BEGIN TRANSACTION SELECT " + "(".repeat(5_000) + "1" + ")".repeat(5_000)
                        + "; COMMIT TRANSACTION"))
                .hasMessageContaining("deep");
        assertThatThrownBy(() -> shop.plan("BEGIN TRANSACTION UPDATE t SET v = v" + " + 1".repeat(1_000)
                        + " WHERE k = 1 AND c = 1; COMMIT TRANSACTION"))
                .hasMessageContaining("terms in a row");
        assertThatThrownBy(() -> shop.run("BEGIN TRANSACTION " + "DELETE FROM t WHERE k = 1 AND c = 1; ".repeat(1_001)
                        + " COMMIT TRANSACTION"))
                .hasMessageContaining("at most 1000");
        assertThatThrownBy(() -> shop.plan(
                        "BEGIN TRANSACTION SELECT " + "[".repeat(20_000) + "]".repeat(20_000) + "; COMMIT TRANSACTION"))
                .isInstanceOf(RequestValidationException.class);
    }
}
