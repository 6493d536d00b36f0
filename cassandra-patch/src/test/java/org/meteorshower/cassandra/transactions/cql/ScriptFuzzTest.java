/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.cassandra.auth.AllowAllAuthorizer;
import org.apache.cassandra.config.DatabaseDescriptor;
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

    private static final class Calls implements Target {
        private final Shop shop = new Shop("CREATE TABLE t (k int PRIMARY KEY, v int, x text)");
        private final Map<ProcedureId, String> texts = new HashMap<>();
        private final Procedures procedures = new Procedures(
                new ProcedureStore() {
                    @Override
                    public String text(ProcedureId id) {
                        return texts.get(id);
                    }

                    @Override
                    public Registered register(ProcedureId id, String text, String role) {
                        return Registered.NOW;
                    }

                    @Override
                    public boolean drop(ProcedureId id) {
                        return true;
                    }
                },
                table -> true,
                Runnable::run,
                System::nanoTime);

        Calls() {
            DatabaseDescriptor.setAuthorizer(new AllowAllAuthorizer());
            texts.put(
                    new ProcedureId(shop.keyspace(), "p", 1),
                    "BEGIN TRANSACTION UPDATE t SET v = :v, x = :x WHERE k = :k; COMMIT TRANSACTION");
        }

        @Override
        public Sample sample(SplittableRandom random) {
            String call = "CALL p VERSION 1 (" + random.nextInt(9) + ", 'a, b', :k);";
            String create = "CREATE PROCEDURE q VERSION " + (1 + random.nextInt(3))
                    + " AS $$ BEGIN TRANSACTION UPDATE t SET v = :v" + " WHERE k = 1; COMMIT TRANSACTION $$;";
            return Sample.text(
                    switch (random.nextInt(3)) {
                        case 0 -> create;
                        case 1 -> "DROP PROCEDURE IF EXISTS " + shop.keyspace() + ".\"q\" VERSION 7";
                        default -> call;
                    },
                    "");
        }

        @Override
        public Object decode(byte[] input) {
            String text = new String(input, StandardCharsets.UTF_8);
            if (ProcedureStatement.isOne(text)) {
                procedures.run(ProcedureStatement.parse(text, shop.client()), shop.client());
            } else {
                procedures.call(text, shop.client());
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
                    "CALL", "CREATE", "DROP", "PROCEDURE", "VERSION", "AS", "(", ")", ",", "?", ":x", "$$", "'", "\"");
        }

        @Override
        public long freeBytes() {
            return 8 << 20;
        }

        @Override
        public int bytesPerByte() {
            return 1 << 16;
        }
    }

    @Test
    void aCallOfAProcedureIsCompiledOrRefused() {
        Fuzz.run("procedures in CQL", new Calls(), 5_000);
    }
}
