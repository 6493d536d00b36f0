/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import static com.datastax.oss.driver.api.core.cql.BatchType.LOGGED;
import static com.datastax.oss.driver.api.core.cql.BatchType.UNLOGGED;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StatementKindTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT v FROM t",
                "  select v from t",
                "-- INSERT\nSELECT v FROM t",
                "// one\r\n/* UPDATE\n */ SELECT JSON * FROM t WHERE k IN (1, 2)",
            })
    void aSelectIsARead(String query) {
        assertThat(StatementKind.ofText(query)).isEqualTo(StatementKind.READ);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO t (k, v) VALUES (1, 'x')",
                "update t set v = 'IF it''s IN' where k = 1 -- IF",
                "DELETE \"IF\" FROM t WHERE k = $$a IN b$$",
                "/* SELECT */ INSERT INTO t (k) VALUES (1)",
            })
    void oneMutationIsAWrite(String query) {
        assertThat(StatementKind.ofText(query)).isEqualTo(StatementKind.WRITE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO t (k) VALUES (1) IF NOT EXISTS",
                "DELETE FROM t WHERE k IN (1, 2)",
                "BEGIN BATCH INSERT INTO t (k) VALUES (1); APPLY BATCH",
                "TRUNCATE t",
                "CREATE TABLE t (k int PRIMARY KEY)",
                "GRANT SELECT ON t TO r",
                "SELECTED",
                "/* never closed SELECT",
                "",
            })
    void whateverMayHaveSeveralStepsOrIsNotKnownIsAWriteInSteps(String query) {
        assertThat(StatementKind.ofText(query)).isEqualTo(StatementKind.WRITE_IN_STEPS);
    }

    @Test
    void aBatchIsOneStepOnlyIfLoggedAndUnconditional() {
        SimpleStatement plain = SimpleStatement.newInstance("INSERT INTO t (k) VALUES (1)");
        SimpleStatement conditional = SimpleStatement.newInstance("INSERT INTO t (k) VALUES (1) IF NOT EXISTS");
        assertThat(StatementKind.of(BatchStatement.newInstance(LOGGED, plain))).isEqualTo(StatementKind.WRITE);
        assertThat(StatementKind.of(BatchStatement.newInstance(UNLOGGED, plain)))
                .isEqualTo(StatementKind.WRITE_IN_STEPS);
        assertThat(StatementKind.of(BatchStatement.newInstance(LOGGED, plain, conditional)))
                .isEqualTo(StatementKind.WRITE_IN_STEPS);
    }
}
