/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.exceptions.RequestValidationException;
import org.junit.jupiter.api.Test;
import org.meteorshower.fuzzing.Fuzz;
import org.meteorshower.fuzzing.Target;

/** Whatever is sent for a transaction is compiled, or refused as CQL refuses: it never breaks, and never hangs. */
class ScriptFuzzTest {
    private static final class Scripts implements Target {
        private final Shop shop =
                new Shop("CREATE TABLE t (k int, c int, v int, s int static, l list<int>, m map<text, int>, x text,"
                        + " PRIMARY KEY (k, c))");

        private static final List<String> BODIES = List.of(
                "LET r = (SELECT v, l FROM t WHERE k = 1 AND c = ?);",
                "IF r.v >= 5 AND (r.v IN (1, 2) OR r.l[0] IS NOT NULL) THEN UPDATE t SET v = r.v + 1 WHERE k = 1"
                        + " AND c = 1; ELSE DELETE v FROM t WHERE k = 1 AND c = 1; END IF",
                "INSERT INTO t (k, c, m) VALUES (:a, ?, {'x': 1, 'y': 2});",
                "UPDATE t SET v += 2, l = [1] + l, m['q'] = -3 WHERE k = 1 AND c IN (1, 2);",
                "DELETE FROM t WHERE k = 1 AND c = 1; -- done",
                "SELECT v, s FROM t WHERE k = 1 AND c = 1;",
                "SELECT r.v -5 AS x, (int) 5;");

        @Override
        public Sample sample(SplittableRandom random) {
            StringBuilder text = new StringBuilder("BEGIN TRANSACTION ").append(BODIES.get(0));
            for (String each : BODIES.subList(1, BODIES.size() - 2)) {
                if (random.nextBoolean()) {
                    text.append(each).append('\n');
                }
            }
            text.append(BODIES.get(BODIES.size() - 1 - random.nextInt(2))).append("COMMIT TRANSACTION");
            return Sample.text(text.toString(), "");
        }

        @Override
        public Object decode(byte[] input) {
            String text = new String(input, StandardCharsets.UTF_8);
            Plan plan = shop.plan(text);
            if (plan.markers().isEmpty()) {
                plan.bind(new Binding(QueryOptions.forInternalCalls(List.of()), shop.client()));
            }
            return "";
        }

        @Override
        public boolean declares(Throwable thrown) {
            return thrown instanceof RequestValidationException;
        }

        @Override
        public List<String> words() {
            return List.of(
                    "IF", "THEN", "ELSE", "END", "COMMIT", "LET", "(", ")", "[", "{", "?", ":x", "$$", "'", "\"");
        }

        @Override
        public long freeBytes() {
            return 8 << 20; // Cassandra's parser and what it prepares
        }

        @Override
        public int bytesPerByte() {
            return 1 << 16;
        }
    }

    @Test
    void aTransactionIsCompiledOrRefused() {
        Fuzz.run("transactions in CQL", new Scripts(), 10_000);
    }
}
