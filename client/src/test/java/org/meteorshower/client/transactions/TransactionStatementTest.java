/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client.transactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.meteorshower.client.transactions.Change.deleteFrom;
import static org.meteorshower.client.transactions.Change.insertInto;
import static org.meteorshower.client.transactions.Change.update;
import static org.meteorshower.client.transactions.RowQuery.select;

import org.junit.jupiter.api.Test;

/** What the builder writes. */
class TransactionStatementTest {

    @Test
    void aTransactionIsWrittenWithAMarkerForEachValueInTheOrderOfTheText() {
        TransactionStatement transfer = TransactionStatement.builder()
                .let("sender", select("balance").from("shop.accounts").where("id", 1))
                .let("receiver", select().from("shop.accounts").where("id", 2))
                .returning("sender.balance", "receiver.balance")
                .when(Expr.of("sender.balance").isAtLeast(50).and(Condition.exists("receiver")))
                .then(
                        update("shop.accounts").subtract("balance", 50).where("id", 1),
                        update("shop.accounts").add("balance", 50).where("id", 2))
                .otherwise(insertInto("shop.refused").value("id", 1).value("had", Expr.of("sender.balance")))
                .build();

        assertThat(transfer.cql())
                .isEqualTo("BEGIN TRANSACTION"
                        + " LET sender = (SELECT balance FROM shop.accounts WHERE id = ?);"
                        + " LET receiver = (SELECT * FROM shop.accounts WHERE id = ?);"
                        + " SELECT sender.balance, receiver.balance;"
                        + " IF (sender.balance >= ? AND receiver IS NOT NULL) THEN"
                        + " UPDATE shop.accounts SET balance -= ? WHERE id = ?;"
                        + " UPDATE shop.accounts SET balance += ? WHERE id = ?; "
                        + " ELSE INSERT INTO shop.refused (id, had) VALUES (?, sender.balance); END IF"
                        + " COMMIT TRANSACTION");
        assertThat(transfer.values()).containsExactly(1, 2, 50, 50, 1, 50, 2, 1);
    }

    @Test
    void conditionsAndSumsAreNestedByBrackets() {
        TransactionStatement statement = TransactionStatement.builder()
                .let("a", select("v", "w").from("t").where("k", 1).where("c", 2))
                .returning(Expr.of("a.v").minus(1).times(Expr.of("a.w")))
                .when(Expr.of("a.v")
                        .isIn(1, 2)
                        .or(Expr.of("a.w").isNull())
                        .and(Expr.of("a.v").isNotEqualTo(9)))
                .then(deleteFrom("t", "v").where("k", 1).where("c", 2))
                .change(update("t")
                        .set("v", null)
                        .set("w", Expr.of("w").plus(1))
                        .where("k", 1)
                        .where("c", 2))
                .build();

        assertThat(statement.cql())
                .contains("WHERE k = ? AND c = ?")
                .contains("SELECT ((a.v - ?) * a.w);")
                .contains(
                        "IF ((a.v IN (?, ?) OR a.w IS NULL) AND a.v != ?) THEN DELETE v FROM t WHERE k = ? AND c = ?;")
                .endsWith("END IF UPDATE t SET v = ?, w = (w + ?) WHERE k = ? AND c = ?; COMMIT TRANSACTION");
        assertThat(statement.values()).containsExactly(1, 2, 1, 1, 2, 9, 1, 2, null, 1, 1, 2);
    }

    @Test
    void valuesNeverBecomeTextAndNamesMustBeNames() {
        assertThat(TransactionStatement.builder()
                        .change(insertInto("ks.\"My Table\"").value("id", "'; DROP TABLE x"))
                        .build()
                        .cql())
                .isEqualTo("BEGIN TRANSACTION INSERT INTO ks.\"My Table\" (id) VALUES (?); COMMIT TRANSACTION");
        assertThatThrownBy(() -> update("t; DROP TABLE x")).hasMessageContaining("not the name of a table");
        assertThatThrownBy(() -> Expr.of("a.b = 1 OR c")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> select("v FROM")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whatIsIncompleteIsRefusedSayingWhatIsMissing() {
        assertThatThrownBy(() -> TransactionStatement.builder().build()).hasMessageContaining("empty");
        assertThatThrownBy(() -> TransactionStatement.builder().otherwise()).hasMessageContaining("follows when");
        assertThatThrownBy(() -> TransactionStatement.builder()
                        .change(update("t").set("v", 1))
                        .build())
                .hasMessageContaining("primary key");
        assertThatThrownBy(() -> TransactionStatement.builder()
                        .let("a", select().from("t"))
                        .build())
                .hasMessageContaining("which row");
        assertThatThrownBy(() -> insertInto("t").set("v", 1)).hasMessageContaining("INSERT");
    }
}
