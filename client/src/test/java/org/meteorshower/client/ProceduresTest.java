/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.meteorshower.client.FakeTransactions.Fault;
import org.meteorshower.client.transactions.Procedure;
import org.meteorshower.client.transactions.TransactionStatement;

/** What a client does with procedures whose requests and answers get lost: two data centres of a node. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProceduresTest {
    private static final Procedure ADD = Procedure.of("ks.add_one", 1);
    private static final String TEXT =
            "BEGIN TRANSACTION UPDATE t SET v += 1, x = 'a' WHERE k = :k; COMMIT TRANSACTION";

    private final FakeDataCentre eu = new FakeDataCentre("eu", 1);
    private final FakeDataCentre us = new FakeDataCentre("us", 1);

    @AfterAll
    void stop() {
        eu.close();
        us.close();
    }

    @AfterEach
    void recover() {
        eu.asked().clear();
        us.asked().clear();
        eu.awaitConnected();
        us.awaitConnected();
    }

    private FakeTransactions served() {
        FakeTransactions by = new FakeTransactions();
        eu.behave(by);
        us.behave(by);
        return by;
    }

    private MeteorShowerTransactions transactions() {
        return MeteorShowerTransactions.builder(MeteorShowerSession.builder()
                        .dataCentre(eu.cql)
                        .dataCentre(us.cql)
                        .failover(true)
                        .build())
                .patience(Duration.ofSeconds(20))
                .build();
    }

    private List<Asked> calls() {
        List<Asked> all = new ArrayList<>(eu.asked());
        all.addAll(us.asked());
        return all.stream().filter(each -> each.query().startsWith("CALL")).toList();
    }

    @Test
    void aCallHasANumberAndIsSentAgainUnderIt() {
        FakeTransactions server = served().faults(Fault.UNKNOWN_AND_DONE, Fault.ANSWER_LOST, Fault.REFUSED);

        TransactionResult result = transactions().execute(ADD.call("1"));

        assertThat(server.counter()).isEqualTo(1);
        assertThat(result.id()).isPresent();
        assertThat(calls())
                .hasSizeGreaterThan(1)
                .extracting(Asked::query)
                .containsOnly("CALL ks.add_one VERSION 1 (?)");
        assertThat(calls())
                .extracting(each -> each.text(PayloadKeys.TRANSACTIONS_SESSION) + each.number())
                .containsOnly(calls().get(0).text(PayloadKeys.TRANSACTIONS_SESSION)
                        + result.id().orElseThrow().number());
    }

    @Test
    void whatIsSaidOfProceduresIsSaidAgainUntilItIsAnswered() {
        FakeTransactions server = served().faults(Fault.UNKNOWN, Fault.ANSWER_LOST);
        MeteorShowerProcedures procedures = transactions().procedures();

        procedures.register(ADD, TEXT);
        procedures.drop(ADD);

        assertThat(server.changes())
                .contains(
                        "CREATE PROCEDURE ks.add_one VERSION 1 AS 'BEGIN TRANSACTION UPDATE t SET v += 1, x = ''a''"
                                + " WHERE k = :k; COMMIT TRANSACTION'",
                        "DROP PROCEDURE IF EXISTS ks.add_one VERSION 1")
                .hasSize(4);
    }

    @Test
    void whatIsRefusedIsToldAtOnce() {
        FakeTransactions server = served().faults(Fault.ABORTED);
        assertThatThrownBy(() -> transactions().procedures().register(ADD, TEXT))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining("another text");
        assertThat(server.changes()).hasSize(1);
    }

    @Test
    void namesAndVersionsAreChecked() {
        assertThat(Procedure.of("\"Shop\".\"newOrder\"", 3).call())
                .hasToString("CALL \"Shop\".\"newOrder\" VERSION 3 ()");
        assertThat(TransactionText.isReadOnly(ADD.call("1").cql())).isFalse();
        for (String name : List.of("add", "a.b.c", "a.b; DROP", "a.\"b", "a.", "")) {
            assertThatThrownBy(() -> Procedure.of(name, 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("keyspace.name");
        }
        assertThatThrownBy(() -> Procedure.of("a.b", 0)).hasMessageContaining("begin at 1");
        assertThatThrownBy(() -> TransactionStatement.of("SELECT 1")).hasMessageContaining("CALL");
    }
}
