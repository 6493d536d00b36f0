/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.cassandra.auth.AllowAllAuthorizer;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.ColumnIdentifier;
import org.apache.cassandra.cql3.QueryHandler;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.functions.FunctionName;
import org.apache.cassandra.cql3.functions.NativeFunction;
import org.apache.cassandra.cql3.functions.NativeFunctions;
import org.apache.cassandra.cql3.functions.UDFunction;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.WriteType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.exceptions.CasWriteTimeoutException;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.exceptions.ReadTimeoutException;
import org.apache.cassandra.exceptions.RequestValidationException;
import org.apache.cassandra.exceptions.SyntaxException;
import org.apache.cassandra.exceptions.WriteTimeoutException;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ClientState;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.meteorshower.cassandra.store.TestTables;

/** Procedures: a transaction's text under a name and a version, registered once and called with arguments. */
class ProceduresTest {
    private static final String TRANSFER = """
            BEGIN TRANSACTION
              LET a = (SELECT v FROM t WHERE k = :sender);
              LET b = (SELECT v FROM t WHERE k = :receiver);
              SELECT a.v, b.v AS "other";
              IF a.v >= :amount AND b IS NOT NULL THEN
                UPDATE t SET v -= :amount WHERE k = :sender;
                UPDATE t SET v += :amount WHERE k = :receiver;
              END IF
            COMMIT TRANSACTION""";

    private final Shop shop = new Shop(
            "CREATE TABLE t (k int PRIMARY KEY, v bigint, x text, l list<int>)",
            "CREATE TABLE outside (k int PRIMARY KEY, v bigint)",
            "CREATE TABLE e (k int, c int, at timestamp, PRIMARY KEY (k, c)) WITH CLUSTERING ORDER BY (c DESC)");
    private final Store store = new Store();
    private final AtomicLong nanos = new AtomicLong();
    private final ArrayDeque<Runnable> behind = new ArrayDeque<>();
    private boolean noRoom;
    private final Procedures procedures = new Procedures(
            store,
            table -> !table.name.equals("outside"),
            work -> {
                if (noRoom) {
                    throw new RejectedExecutionException("no room");
                }
                behind.add(work);
            },
            nanos::get);

    @BeforeAll
    static void everybodyMayDoEverything() {
        String unused = TestTables.PAIRS.name; // starts what Cassandra's settings need
        DatabaseDescriptor.setAuthorizer(new AllowAllAuthorizer());
    }

    /** What all nodes see, in memory. */
    private static final class Store implements ProcedureStore {
        private final Map<ProcedureId, String> texts = new HashMap<>();
        private final Set<ProcedureId> dropped = new HashSet<>();
        private int reads;
        private RuntimeException failure;

        @Override
        public String text(ProcedureId id) {
            reads++;
            fail();
            return dropped.contains(id) ? null : texts.get(id);
        }

        private void fail() {
            if (failure != null) {
                throw failure;
            }
        }

        @Override
        public Registered register(ProcedureId id, String text, String role) {
            fail();
            if (texts.size() >= 5) {
                return Registered.TOO_MANY;
            }
            String before = texts.putIfAbsent(id, text);
            return before == null || (before.equals(text) && dropped.remove(id))
                    ? Registered.NOW
                    : before.equals(text) ? Registered.BEFORE : Registered.WITH_ANOTHER_TEXT;
        }

        @Override
        public boolean drop(ProcedureId id) {
            fail();
            return texts.containsKey(id) && dropped.add(id);
        }
    }

    private void change(String text) {
        procedures.run(ProcedureStatement.parse(text, shop.client()), shop.client());
    }

    private void register(String name, String body) {
        change("CREATE PROCEDURE " + name + " AS $$ " + body + " $$;");
    }

    private Plan call(String text) {
        return procedures.call(text, shop.client()).plan();
    }

    private List<String> run(String text, Object... values) {
        return shop.run(call(text), values);
    }

    private void accounts() {
        shop.run("BEGIN TRANSACTION INSERT INTO t (k, v) VALUES (1, 100); INSERT INTO t (k, v) VALUES (2, 0);"
                + " COMMIT TRANSACTION");
    }

    private ProcedureId id(String name, int version) {
        return new ProcedureId(shop.keyspace(), name, version);
    }

    @Test
    void aCallDoesWhatTheTransactionDoesWithItsArguments() {
        accounts();
        register("transfer VERSION 1", TRANSFER);

        assertThat(run("CALL transfer VERSION 1 (1, 2, 30)")).containsExactly("100, 0");
        assertThat(run("call " + shop.keyspace() + ".TRANSFER version 1 (?, ?, 70);", 1, 2))
                .containsExactly("70, 30");
        assertThat(run("CALL transfer VERSION 1 (:one, :two, :much)", 1, 2, 1L)).containsExactly("0, 100");
    }

    @Test
    void whoPreparesACallIsToldNamesAndTypesOfTheParameters() {
        register("transfer VERSION 1", TRANSFER);

        Plan plan = call("CALL transfer VERSION 1 (?, 2, :much)");

        assertThat(plan.markers())
                .extracting(each -> each.name + " " + each.type.asCQL3Type())
                .containsExactly("sender int", "much bigint");
        assertThat(Shop.namesOf(plan)).containsExactly("a.v", "other");
    }

    @Test
    void aParameterMayStandInSeveralPlacesOfOneType() {
        assertThatThrownBy(() -> register(
                        "p VERSION 1", "BEGIN TRANSACTION UPDATE t SET v = :a, x = :a WHERE k = 1; COMMIT TRANSACTION"))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("parameter a")
                .hasMessageContaining("bigint in one place and for text in another");
        register(
                "p VERSION 1",
                "BEGIN TRANSACTION UPDATE t SET l = :a WHERE k = 1; UPDATE t SET l = l + :a WHERE k = 1;"
                        + " COMMIT TRANSACTION");
        run("CALL p VERSION 1 ([1, 2])");
        assertThat(shop.run("BEGIN TRANSACTION SELECT l FROM t WHERE k = 1; COMMIT TRANSACTION"))
                .containsExactly("[1, 2, 1, 2]");
    }

    @Test
    void aParameterOfADescendingColumnIsOfItsType() {
        register("p VERSION 1", "BEGIN TRANSACTION DELETE FROM e WHERE k = :k AND c = :k; COMMIT TRANSACTION");
        assertThat(call("CALL p VERSION 1 (?)")
                        .markers()
                        .get(0)
                        .type
                        .asCQL3Type()
                        .toString())
                .isEqualTo("int");
    }

    @Test
    void anArgumentIsComputedOnceForAllPlaces() {
        Shop uuids = new Shop("CREATE TABLE u (id uuid PRIMARY KEY, v int)");
        String body = "BEGIN TRANSACTION INSERT INTO u (id, v) VALUES (:a, 1); UPDATE u SET v += 1 WHERE id = :a;";
        procedures.run(
                ProcedureStatement.parse(
                        "CREATE PROCEDURE p VERSION 1 AS '" + body + " COMMIT TRANSACTION'", uuids.client()),
                uuids.client());
        Plan plan = procedures.call("CALL p VERSION 1 (uuid())", uuids.client()).plan();
        Binding binding =
                new Binding(QueryOptions.forInternalCalls(ConsistencyLevel.QUORUM, List.of()), uuids.client());
        assertThat(plan.bind(binding).rows()).hasSize(1);

        procedures.run(
                ProcedureStatement.parse(
                        "CREATE PROCEDURE q VERSION 1 AS '" + body
                                + " SELECT * FROM u WHERE id = :a; COMMIT TRANSACTION'",
                        uuids.client()),
                uuids.client());
        assertThatThrownBy(() -> procedures.call("CALL q VERSION 1 (uuid())", uuids.client()))
                .as("told again under a number, its rows would be another key's")
                .hasMessageContaining("compute it in the client");
    }

    @Test
    void nullIsAnArgumentAndAnUnsetOneLeavesItsColumnAlone() {
        accounts();
        register("p VERSION 1", "BEGIN TRANSACTION UPDATE t SET v = :v, x = :x WHERE k = 1; COMMIT TRANSACTION");
        run("CALL p VERSION 1 (5, 'a')");
        run("CALL p VERSION 1 (null, ?)", org.apache.cassandra.utils.ByteBufferUtil.UNSET_BYTE_BUFFER);
        assertThat(shop.run("BEGIN TRANSACTION SELECT v, x FROM t WHERE k = 1; COMMIT TRANSACTION"))
                .containsExactly("null, 'a'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "CALL transfer VERSION 1 (1, 2) | takes 3 arguments (sender int, receiver int, amount bigint), and is called with 2",
                "CALL transfer VERSION 1 () | is called with 0",
                "CALL transfer VERSION 1 (1, 2, 'x') | amount",
                "CALL transfer VERSION 1 (1, 2, 3, 4) | is called with 4",
                "CALL transfer VERSION 1 (1, 2, 3,) | an argument is missing",
                "CALL transfer VERSION 1 (1,, 3) | something is missing",
                "CALL transfer VERSION 1 (1, 2, 3) 4 | nothing may follow",
                "CALL transfer VERSION 1 | expected the arguments in brackets",
                "CALL transfer VERSION 1 (1, 2, 3 | a bracket is not closed",
                "CALL transfer (1, 2, 3) | say which version",
                "CALL transfer VERSION 0 (1, 2, 3) | expected a version",
                "CALL transfer VERSION 99999999999 (1, 2, 3) | expected a version",
                "CALL transfer VERSION ? (1, 2, 3) | expected a version",
                "CALL transfer VERSION 2 (1, 2, 3) | there is no procedure",
                "CALL \"Transfer\" VERSION 1 (1, 2, 3) | there is no procedure",
                "CALL nowhere.transfer VERSION 1 (1, 2, 3) | there is no procedure nowhere.transfer VERSION 1",
                "CALL \"a b\" VERSION 1 () | is no name",
                "CALL transfer VERSION 1 (1, 2, a.v) | not understood",
                "CALL | expected a procedure",
            })
    void aCallThatMakesNoSenseIsRefusedWithItsCause(String text, String told) {
        register("transfer VERSION 1", TRANSFER);
        String unquoted = text.replace("\"\"", "\"");
        if (told.equals("not understood")) {
            assertThatThrownBy(() -> call(unquoted)).isInstanceOf(RequestValidationException.class);
        } else {
            assertThatThrownBy(() -> call(unquoted))
                    .isInstanceOf(RequestValidationException.class)
                    .hasMessageContaining(told);
        }
    }

    @Test
    void namesAreFoldedUnlessTheyAreQuoted() {
        register("\"Transfer\" VERSION 1", TRANSFER);
        assertThat(store.texts).containsOnlyKeys(id("Transfer", 1));
        assertThat(call("CALL \"Transfer\" VERSION 1 (1, 2, 3)")).isNotNull();
        assertThatThrownBy(() -> call("CALL Transfer VERSION 1 (1, 2, 3)")).hasMessageContaining("no procedure");
        assertThat(id("Transfer", 1)).hasToString(shop.keyspace() + ".\"Transfer\" VERSION 1");
    }

    @Test
    void whoUsesNoKeyspaceNamesOneAndTablesAreThoseOfTheProceduresKeyspace() {
        ClientState elsewhere = ClientState.forInternalCalls();
        assertThatThrownBy(() -> ProcedureStatement.parse("DROP PROCEDURE transfer VERSION 1", elsewhere))
                .hasMessageContaining("write keyspace.transfer");
        procedures.run(
                ProcedureStatement.parse(
                        "CREATE PROCEDURE " + shop.keyspace() + ".transfer VERSION 1 AS $$" + TRANSFER + "$$",
                        elsewhere),
                elsewhere);
        assertThat(procedures
                        .call("CALL " + shop.keyspace() + ".transfer VERSION 1 (1, 2, 3)", elsewhere)
                        .plan()
                        .tables())
                .isNotEmpty()
                .allMatch(table -> table.keyspace.equals(shop.keyspace()));
    }

    @Test
    void theSameTextIsRegisteredAgainAndAnotherIsRefused() {
        register("transfer VERSION 1", TRANSFER);
        register("transfer VERSION 1", TRANSFER);
        assertThatThrownBy(() -> register("transfer VERSION 1", TRANSFER.replace(">=", ">")))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("another text")
                .hasMessageContaining("a version of its own");
        register("transfer VERSION 2", TRANSFER.replace(">=", ">"));
        assertThat(store.texts).hasSize(2);
    }

    @Test
    void tooManyAndTooLongAreRefused() {
        for (int i = 1; i <= 5; i++) {
            register("p VERSION " + i, TRANSFER);
        }
        assertThatThrownBy(() -> register("p VERSION 6", TRANSFER)).hasMessageContaining("drop versions");
        assertThatThrownBy(() -> register("p VERSION 1", TRANSFER.replace("LET b", " ".repeat(1 << 16) + "LET b")))
                .hasMessageContaining("at most 65536");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CREATE PROCEDURE p VERSION 1 | expected AS",
                "CREATE PROCEDURE p VERSION 1 AS BEGIN TRANSACTION | expected the transaction as a text",
                "CREATE PROCEDURE p VERSION 1 AS ? | expected the transaction as a text",
                "CREATE PROCEDURE p VERSION 1 AS 'BEGIN | mismatched character",
                "CREATE PROCEDURE p VERSION 1 AS 'BEGIN' | expected TRANSACTION",
                "CREATE PROCEDURE p VERSION 1 AS 'SELECT 1' | expected BEGIN",
                "CREATE PROCEDURE p AS 'SELECT 1' | say which version",
                "CREATE PROCEDURE p VERSION -1 AS 'SELECT 1' | expected a version",
                "CREATE PROCEDURE p VERSION 1 AS '' | expected BEGIN",
                "CREATE PROCEDURE IF NOT EXISTS p VERSION 1 AS '' | say which version",
                "CREATE PROCEDURE p VERSION 1 AS 'x' ? | nothing may follow",
                "DROP PROCEDURE p VERSION 1 AS 'x' | nothing may follow",
                "DROP PROCEDURE p VERSION 1 | there is no procedure",
                "CREATE PROCEDURE nowhere.p VERSION 1 AS 'BEGIN TRANSACTION COMMIT TRANSACTION' | no keyspace 'nowhere'",
            })
    void nonsenseIsRefused(String text, String told) {
        assertThatThrownBy(() -> change(text))
                .isInstanceOf(RequestValidationException.class)
                .hasMessageContaining(told);
        assertThat(store.texts).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "UPDATE t SET v = ? WHERE k = :k; | bind marker 1 | write :name",
                "UPDATE outside SET v = 1 WHERE k = 1; | does not take part | SET transactions = true",
                "UPDATE nothere SET v = 1 WHERE k = 1; | nothere | nothere",
                "SELECT * FROM t; | whole primary key | whole primary key",
                "UPDATE t SET nothere = 1 WHERE k = 1; | nothere | nothere",
                "CALL transfer VERSION 1 (1, 2, 3); | expected LET | expected LET",
            })
    void whatCouldNotBeCalledIsNotRegistered(String body, String cause, String cure) {
        assertThatThrownBy(() -> register("p VERSION 1", "BEGIN TRANSACTION " + body + " COMMIT TRANSACTION"))
                .isInstanceOf(RequestValidationException.class)
                .hasMessageContaining(cause)
                .hasMessageContaining(cure);
        assertThat(store.texts).isEmpty();
    }

    /** Each kind of place that a function can stand in. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE e SET at = toTimestamp(now()) WHERE k = 1 AND c = 1;",
                "UPDATE e SET at = to_timestamp(now()) WHERE k = 1 AND c = 1;",
                "UPDATE e SET at = currentTimestamp() WHERE k = 1 AND c = 1;",
                "INSERT INTO e (k, c, at) VALUES (1, 1, \"current_timestamp\"());",
                "INSERT INTO e (k, c, at) VALUES (1, 1, system.current_timestamp());",
                "DELETE FROM m WHERE k = now();",
                "DELETE FROM m WHERE k IN (now(), now());",
                "LET r = (SELECT v FROM m WHERE k = now()); SELECT r.v;",
                "SELECT toTimestamp(now()) FROM e WHERE k = 1 AND c = 1;",
                "SELECT uuid(), k FROM e WHERE k = 1 AND c = 1;",
                "SELECT currentDate() AS d FROM e WHERE k = 1 AND c = 1;",
                "UPDATE m SET v = currentTimeUUID() WHERE k = 50554d6e-29bb-11e5-b345-feff819cdc9f;",
                "UPDATE m SET s = {now()} WHERE k = 50554d6e-29bb-11e5-b345-feff819cdc9f;",
                "UPDATE m SET s = s + {now()} WHERE k = 50554d6e-29bb-11e5-b345-feff819cdc9f;",
                "UPDATE m SET s = s - {now()} WHERE k = 50554d6e-29bb-11e5-b345-feff819cdc9f;",
                "UPDATE m SET m[now()] = 1 WHERE k = 50554d6e-29bb-11e5-b345-feff819cdc9f;",
                "UPDATE m SET m = {now(): 1} WHERE k = 50554d6e-29bb-11e5-b345-feff819cdc9f;",
                "UPDATE m SET l = [uuid()] WHERE k = 50554d6e-29bb-11e5-b345-feff819cdc9f;",
                "UPDATE m SET p = (1, uuid()) WHERE k = 50554d6e-29bb-11e5-b345-feff819cdc9f;",
                "UPDATE m SET w = [cast(uuid() as text)] WHERE k = 50554d6e-29bb-11e5-b345-feff819cdc9f;",
                "DELETE m[now()] FROM m WHERE k = 50554d6e-29bb-11e5-b345-feff819cdc9f;",
                "LET r = (SELECT v, m FROM m WHERE k = 50554d6e-29bb-11e5-b345-feff819cdc9f); IF r.v < now() THEN"
                        + " DELETE FROM t WHERE k = 1; END IF",
                "LET r = (SELECT v FROM m WHERE k = 50554d6e-29bb-11e5-b345-feff819cdc9f); IF r.v IN (now()) THEN"
                        + " DELETE FROM t WHERE k = 1; END IF",
                "LET r = (SELECT m FROM m WHERE k = 50554d6e-29bb-11e5-b345-feff819cdc9f); SELECT r.m[now()];",
                "LET r = (SELECT m FROM m WHERE k = 50554d6e-29bb-11e5-b345-feff819cdc9f); IF r.m[now()] = 1 THEN"
                        + " DELETE FROM t WHERE k = 1; ELSE DELETE FROM t WHERE k = 2; END IF",
                "UPDATE t SET x = from_json('\"a\"') WHERE k = 1;",
                "UPDATE e SET at = fromJson('\"now\"') WHERE k = 1 AND c = 1;",
                "UPDATE e SET at = fromjson(:at) WHERE k = 1 AND c = 1;",
                "UPDATE e SET at = 'now' WHERE k = 1 AND c = 1;",
                "UPDATE e SET at = $$NOW$$ WHERE k = 1 AND c = 1;",
                "UPDATE t SET v = to_unix_timestamp((timestamp) 'now') WHERE k = 1;",
                "DELETE FROM m WHERE k = min_timeuuid('now');",
                "DELETE FROM m WHERE k = maxTimeuuid('2030-01-31 12:00');",
                "UPDATE h SET z = {'whole': ['now']} WHERE k = 1;",
                "UPDATE i SET a = 'localhost' WHERE k = 1;",
                "UPDATE e SET at = '2030-01-31' WHERE k = 1 AND c = 1;",
                "UPDATE e SET at = '2030-01-31 12:00' WHERE k = 1 AND c = 1;",
                "UPDATE e SET at = '2030-01-31T12:00:00.123' WHERE k = 1 AND c = 1;",
            })
    void whatReadsTheClockOrRollsDiceIsRefusedWithItsCure(String body) {
        Shop other = sandboxed();
        assertThatThrownBy(() -> procedures.run(
                        ProcedureStatement.parse(
                                "CREATE PROCEDURE p VERSION 1 AS '"
                                        + ("BEGIN TRANSACTION " + body + " COMMIT TRANSACTION").replace("'", "''")
                                        + "'",
                                other.client()),
                        other.client()))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("cannot contain")
                .hasMessageContaining("make it a parameter");
        assertThat(store.texts).isEmpty();
    }

    @Test
    void functionsOfUsersAreRefused() {
        Shop own = new Shop("CREATE TABLE t (k int PRIMARY KEY, v int)");
        UDFunction twice = UDFunction.createBrokenFunction(
                new FunctionName(own.keyspace(), "twice"),
                List.of(new ColumnIdentifier("a", true)),
                List.of(Int32Type.instance),
                Int32Type.instance,
                true,
                "java",
                "return 2 * a;",
                new InvalidRequestException("it is not run"));
        Schema.instance.transform(schema -> {
            KeyspaceMetadata keyspace = schema.get(own.keyspace()).orElseThrow();
            return schema.withAddedOrUpdated(keyspace.withSwapped(keyspace.userFunctions.with(twice)));
        });
        for (String body : List.of(
                "UPDATE t SET v = twice(1) WHERE k = 1;",
                "UPDATE t SET v = twice(:a) WHERE k = 1;",
                "DELETE FROM t WHERE k = abs(twice(1));",
                "SELECT twice(v) FROM t WHERE k = 1;")) {
            assertThatThrownBy(() -> procedures.run(
                            ProcedureStatement.parse(
                                    "CREATE PROCEDURE p VERSION 1 AS 'BEGIN TRANSACTION " + body
                                            + " COMMIT TRANSACTION'",
                                    own.client()),
                            own.client()))
                    .as(body)
                    .hasMessageContaining("a user-defined function")
                    .hasMessageContaining("pass its result");
        }
    }

    /** What another version of Cassandra brings is refused until somebody has looked at it; this tells who has to. */
    @Test
    void ofCassandrasFunctionsTheseAreRefused() {
        Set<String> refused = new TreeSet<>();
        for (NativeFunction each : NativeFunctions.instance.getFunctions()) {
            if (!Sandbox.isTheSame(each)) {
                refused.add(each.name().name);
            }
        }
        assertThat(refused)
                .containsExactly(
                        ("avg count countRows count_rows current_date current_time current_timestamp current_timeuuid"
                                        + " currentdate currenttime currenttimestamp currenttimeuuid now sum uuid")
                                .split(" "));
    }

    private static Shop sandboxed() {
        return new Shop(
                "CREATE TABLE t (k int PRIMARY KEY, v bigint, x text, l list<int>)",
                "CREATE TABLE e (k int, c int, at timestamp, PRIMARY KEY (k, c))",
                "CREATE TABLE i (k int PRIMARY KEY, a inet, x text)",
                "CREATE TABLE h (k int PRIMARY KEY, z map<text, frozen<list<timestamp>>>)",
                "CREATE TABLE m (k timeuuid PRIMARY KEY, v timeuuid, s set<timeuuid>, m map<timeuuid, int>,"
                        + " l list<uuid>, p tuple<int, uuid>, w list<text>)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE e SET at = '2030-01-31T12:00:00Z' WHERE k = 1 AND c = 1;",
                "UPDATE e SET at = '2030-01-31 12:00+0000' WHERE k = 1 AND c = 1;",
                "UPDATE e SET at = to_timestamp((timeuuid) :id) WHERE k = abs((int) :k) AND c = 1;",
                "SELECT token(k), to_json(at) FROM e WHERE k = 1 AND c = 1;",
                "UPDATE t SET x = 'now' WHERE k = 1;",
                "UPDATE t SET x = '2030-01-31' WHERE k = 1;",
                "UPDATE i SET a = '10.0.0.1', x = 'a text' WHERE k = 1; UPDATE i SET a = '::1' WHERE k = 2;",
                "LET now = (SELECT v FROM t WHERE k = 1); SELECT now.v;",
            })
    void whatIsTheSameEachTimeIsNot(String body) {
        Shop other = sandboxed();
        procedures.run(
                ProcedureStatement.parse(
                        "CREATE PROCEDURE p VERSION 1 AS $$BEGIN TRANSACTION " + body + " COMMIT TRANSACTION$$",
                        other.client()),
                other.client());
        assertThat(store.texts).hasSize(1);
    }

    @Test
    void aNodeThatHasNotHeardOfAProcedureAsksAndThenKnows() {
        store.texts.put(id("p", 3), TRANSFER);
        assertThat(call("CALL p VERSION 3 (1, 2, 3)")).isNotNull();
        assertThat(call("CALL p VERSION 3 (1, 2, 3)")).isNotNull();
        assertThat(store.reads).isEqualTo(1);
    }

    @Test
    void aNodeLooksAgainBehindTheCallsAndHearsThatAProcedureWasDropped() {
        PreparedTransactions prepared = new PreparedTransactions();
        register("p VERSION 1", TRANSFER);
        String text = "CALL p VERSION 1 (?, ?, ?)";
        var id = prepared.prepare(text, shop.client(), procedures.call(text, shop.client())).statementId;
        store.drop(id("p", 1)); // at another node

        nanos.addAndGet(Procedures.LOOK_AGAIN_NANOS - 1);
        assertThat(prepared.get(id)).isNotNull();
        assertThat(behind).isEmpty();
        nanos.addAndGet(1);
        assertThat(prepared.get(id)).as("it goes on meanwhile").isNotNull();
        assertThat(prepared.get(id)).isNotNull();
        assertThat(behind).as("one look at a time").hasSize(1);
        behind.remove().run();

        assertThat(prepared.get(id)).isNull();
        assertThatThrownBy(() -> call(text)).hasMessageContaining("there is no procedure");
    }

    @Test
    void whatCannotBeLookedForAgainIsCalledOn() {
        register("p VERSION 1", TRANSFER);
        store.failure = new ReadTimeoutException(ConsistencyLevel.QUORUM, 0, 1, false);
        nanos.addAndGet(Procedures.LOOK_AGAIN_NANOS);
        assertThat(call("CALL p VERSION 1 (1, 2, 3)")).isNotNull();
        behind.remove().run();
        assertThat(call("CALL p VERSION 1 (1, 2, 3)")).isNotNull();
        assertThat(behind).as("not at once again").isEmpty();
        noRoom = true;
        nanos.addAndGet(Procedures.LOOK_AGAIN_NANOS);
        assertThat(call("CALL p VERSION 1 (1, 2, 3)")).isNotNull();
        noRoom = false;
        nanos.addAndGet(Procedures.LOOK_AGAIN_NANOS);
        assertThat(call("CALL p VERSION 1 (1, 2, 3)")).isNotNull();
        assertThat(behind).hasSize(1);
    }

    @Test
    void whatWasDroppedIsNotThereAndItsVersionIsGivenToNoOtherText() {
        register("p VERSION 1", TRANSFER);
        change("DROP PROCEDURE p VERSION 1");
        assertThatThrownBy(() -> call("CALL p VERSION 1 (1, 2, 3)")).hasMessageContaining("dropped");
        assertThatThrownBy(() -> change("DROP PROCEDURE p VERSION 1")).hasMessageContaining("there is no procedure");
        change("DROP PROCEDURE IF EXISTS p VERSION 1;");
        assertThatThrownBy(() -> register("p VERSION 1", TRANSFER.replace(">=", ">")))
                .hasMessageContaining("another text");
        register("p VERSION 1", TRANSFER);
        assertThat(call("CALL p VERSION 1 (1, 2, 3)")).isNotNull();
    }

    @Test
    void aTableThatChangesIsCompiledAgainstAnewAndOneThatIsGoneIsTold() {
        PreparedTransactions prepared = new PreparedTransactions();
        register("p VERSION 1", "BEGIN TRANSACTION SELECT * FROM t WHERE k = :k; COMMIT TRANSACTION");
        String text = "CALL p VERSION 1 (?)";
        var id = prepared.prepare(text, shop.client(), procedures.call(text, shop.client())).statementId;
        TableMetadata table = Schema.instance.getTableMetadata(shop.keyspace(), "t");
        alter(table.unbuild().addRegularColumn("added", Int32Type.instance).build());

        assertThat(prepared.get(id)).as("drivers prepare it again").isNull();
        assertThat(Shop.namesOf(call(text))).contains("added");
        assertThat(store.reads).isZero();

        alter(table.unbuild()
                .removeRegularOrStaticColumn(new ColumnIdentifier("v", true))
                .build());
        register("q VERSION 1", "BEGIN TRANSACTION UPDATE t SET x = :x WHERE k = :k; COMMIT TRANSACTION");
        store.texts.put(id("old", 1), TRANSFER);
        assertThatThrownBy(() -> call("CALL old VERSION 1 (1, 2, 3)"))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("does not fit its tables any more")
                .hasMessageContaining("Register a version that does");
    }

    private static void alter(TableMetadata changed) {
        Schema.instance.transform(schema -> schema.withAddedOrUpdated(schema.get(changed.keyspace)
                .orElseThrow()
                .withSwapped(schema.get(changed.keyspace).orElseThrow().tables.withSwapped(changed))));
    }

    @Test
    void whatWasWrittenPastTheRegistrationIsHeldToTheSandboxAsWell() {
        store.texts.put(
                id("p", 1), "BEGIN TRANSACTION UPDATE e SET at = 'now' WHERE k = 1 AND c = 1; COMMIT TRANSACTION");
        assertThatThrownBy(() -> call("CALL p VERSION 1 ()")).hasMessageContaining("the node's clock");
    }

    @Test
    void whoIsNotToldWhetherItWasRegisteredMaySendItAgain() {
        store.failure = new CasWriteTimeoutException(WriteType.CAS, ConsistencyLevel.SERIAL, 0, 1, 0);
        assertThatThrownBy(() -> register("p VERSION 1", TRANSFER))
                .as("drivers misread the two bytes more of Cassandra's own")
                .isInstanceOf(WriteTimeoutException.class)
                .isNotInstanceOf(CasWriteTimeoutException.class)
                .hasMessageContaining("Send the statement again");
    }

    @Test
    void withoutTransactionsThereAreNoProcedures() {
        Procedures off = new Procedures(null, table -> true, Runnable::run, nanos::get);
        assertThatThrownBy(() -> off.call("CALL " + shop.keyspace() + ".p VERSION 1 ()", shop.client()))
                .hasMessageContaining("transactions.data_centres");
        assertThatThrownBy(() ->
                        off.run(ProcedureStatement.parse("DROP PROCEDURE p VERSION 1", shop.client()), shop.client()))
                .hasMessageContaining("transactions.data_centres");
    }

    @Test
    void aCallIsRetoldUnderItsOwnTextAndNotTheProceduresText() {
        register("transfer VERSION 1", TRANSFER);
        String text = "CALL transfer VERSION 1 (1, 2, 3)";
        assertThat(call(text).text()).isEqualTo(text);
    }

    @Test
    void statementsAreTakenForWhatTheyAre() {
        assertThat(Procedures.isCall(" -- x\n call /* */ p VERSION 1 ()")).isTrue();
        assertThat(Procedures.isCall("CALLS p")).isFalse();
        assertThat(ProcedureStatement.isOne("create procedure p")).isTrue();
        assertThat(ProcedureStatement.isOne("DROP /* a */ PROCEDURE p")).isTrue();
        assertThat(ProcedureStatement.isOne("CREATE TABLE procedure (k int)")).isFalse();
        assertThatThrownBy(() -> ProcedureStatement.parse("CREATE PROCEDURE", shop.client()))
                .isInstanceOf(SyntaxException.class);
    }

    @Test
    void preparedCallsAreCurrentByTheirProcedure() {
        register("transfer VERSION 1", TRANSFER);
        PreparedTransactions prepared = new PreparedTransactions();
        String text = "CALL transfer VERSION 1 (?, ?, ?)";
        var id = prepared.prepare(text, shop.client(), procedures.call(text, shop.client())).statementId;
        QueryHandler.Prepared known = prepared.get(id);
        assertThat(known).isNotNull();
        assertThat(known.statement.getBindVariables()).hasSize(3);
        change("DROP PROCEDURE transfer VERSION 1");
        assertThat(prepared.get(id)).isNull();
    }
}
