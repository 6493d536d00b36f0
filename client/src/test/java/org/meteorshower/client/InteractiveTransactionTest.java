/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.meteorshower.client.transactions.RowQuery.select;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.meteorshower.client.transactions.Change;

/** What interactive transactions send. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InteractiveTransactionTest {

    private final FakeDataCentre eu = new FakeDataCentre("eu", 1);
    private int lost;
    private String held = "old";

    @AfterAll
    void stop() {
        eu.close();
    }

    @BeforeEach
    void serve() {
        lost = 0;
        eu.asked().clear();
        eu.behave(asked -> {
            String query = asked.query();
            if (query.startsWith("OPEN")) {
                return Reply.of(Rows.ofMaps(List.of(Map.of("session", "0.1.0.1.ab"))));
            } else if (query.contains("UPDATE")) {
                boolean applied = lost-- <= 0;
                return Reply.done()
                        .with(PayloadKeys.TRANSACTIONS_APPLIED, ByteBuffer.wrap(new byte[] {(byte) (applied ? 1 : 0)}));
            } else if (query.contains("LET")) {
                return Reply.of(Rows.ofMaps(List.of(Map.of("r0.k", "1"))));
            }
            return query.contains("gone") ? Reply.of(Rows.of(List.of(), null)) : Reply.row(held);
        });
    }

    private MeteorShowerTransactions transactions() {
        return MeteorShowerTransactions.builder(MeteorShowerSession.over(eu.cql))
                .mostTries(3)
                .build();
    }

    private static String append(InteractiveTransaction tx) {
        String before =
                tx.read(select("v").from("ks.t").where("k", "1")).orElseThrow().getString("v");
        boolean free = tx.read(select("v").from("ks.gone").where("k", "2")).isEmpty();
        tx.write(Change.update("ks.t").set("v", before + free).where("k", "1"));
        return before;
    }

    @Test
    void itReadsSnapshotsAndCommitsWhereAllThatWasReadIsStillSo() {
        assertThat(transactions().interactively(InteractiveTransactionTest::append))
                .isEqualTo("old");

        assertThat(eu.asked().get(0).text(PayloadKeys.TRANSACTIONS_MODE)).isEqualTo("snapshot");
        assertThat(eu.asked().get(eu.asked().size() - 1).query())
                .isEqualTo("BEGIN TRANSACTION LET r0 = (SELECT v FROM ks.t WHERE k = ?);"
                        + " LET r1 = (SELECT v FROM ks.gone WHERE k = ?);"
                        + " IF (r0 IS NOT NULL AND r0.v = ? AND r1 IS NULL) THEN UPDATE ks.t SET v = ? WHERE k = ?;  END IF"
                        + " COMMIT TRANSACTION");
    }

    @Test
    void itIsRunAgainWhereOthersHaveChangedWhatItRead() {
        lost = 2;
        transactions().interactively(InteractiveTransactionTest::append);
        assertThat(eu.asked().stream().filter(each -> each.query().contains("UPDATE")))
                .hasSize(3);
    }

    @Test
    void afterSoManyTriesContentionIsTold() {
        lost = 3;
        assertThatThrownBy(() -> transactions().interactively(InteractiveTransactionTest::append))
                .isInstanceOf(ContentionException.class)
                .hasMessageContaining("3 times in a row");
    }

    @Test
    void severalReadsAloneAreReadAgainAsOneAndAreNotBelievedWhereThatDiffers() {
        assertThatThrownBy(() -> transactions().interactively(tx -> {
                    // There is no row, says the snapshot; the strict read finds its key.
                    tx.read(select("v").from("ks.gone").where("k", "1"));
                    return tx.read(select("v").from("ks.gone").where("k", "1")).isEmpty();
                }))
                .isInstanceOf(ContentionException.class);
        assertThat(eu.asked().get(2).query())
                .isEqualTo("BEGIN TRANSACTION LET r0 = (SELECT v, k FROM ks.gone WHERE k = ?);"
                        + " LET r1 = (SELECT v, k FROM ks.gone WHERE k = ?); SELECT r0.k, r1.k; COMMIT TRANSACTION");
    }

    @Test
    void oneReadAloneIsASnapshotAndNeedsNoCommit() {
        transactions().interactively(tx -> tx.read(select().from("ks.t").where("k", "1")));
        assertThat(eu.asked()).hasSize(1);
    }
}
