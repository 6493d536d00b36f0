/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.tpcc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class LogicTest {
    private static final TpccScale SCALE = new TpccScale(1, 3, 30, 100);

    private final MapStore store = MapStore.loaded(SCALE, 2, 3);

    private static Unit.NewOrder order(TpccInput.Line... lines) {
        return new Unit.NewOrder(1, 2, 7, List.of(lines), 5);
    }

    @Test
    void whatIsLoadedMeetsAllConditions() {
        Audit audit = Audit.of(store.rows);

        assertThat(Conditions.broken(audit)).isEmpty();
        assertThat(new Ledger(SCALE).broken(audit)).isEmpty();
        assertThat(audit.customers()).hasSize(2 * 3 * 30);
        assertThat(audit.newOrders()).hasSize(2 * 3 * 9);
        assertThat(store.get(Key.warehouseYtd(1), Row.Ytd.class).cents()).isEqualTo(3 * 30 * 1_000);
    }

    @Test
    void theSameSeedLoadsTheSame() {
        assertThat(MapStore.loaded(SCALE, 2, 3).rows.equals(store.rows)).isTrue();
    }

    @Test
    void aNewOrderTakesTheNextNumberAndTheStockAndTheSameItemTwice() {
        Row.Stock before = store.get(Key.stock(1, 5), Row.Stock.class);
        Answer answer =
                store.now(order(new TpccInput.Line(5, 1, 3), new TpccInput.Line(5, 1, 4), new TpccInput.Line(6, 2, 1)));

        assertThat(answer.numbers()).containsExactly(31);
        Row.Order made = store.get(Key.order(1, 2, 31), Row.Order.class);
        assertThat(made.customer()).isEqualTo(7);
        assertThat(made.local()).isFalse();
        assertThat(made.lines()).extracting(Row.Line::quantity).containsExactly(3, 4, 1);
        assertThat(made.lines().get(0).info()).isEqualTo(before.districts().get(1));
        assertThat(store.get(Key.stock(1, 5), Row.Stock.class))
                .isEqualTo(before.less(3, false).less(4, false));
        assertThat(store.get(Key.stock(2, 6), Row.Stock.class).remote()).isEqualTo(1);
        assertThat(store.get(Key.lastOrder(1, 2, 7), Row.LastOrder.class).number())
                .isEqualTo(31);
        assertThat(answer.cents()).isPositive();
        assertThat(Conditions.broken(Audit.of(store.rows))).isEmpty();
    }

    @Test
    void aStockBelowTenIsFilledUp() {
        Row.Stock stock = new Row.Stock(14, List.of(), 0, 0, 0, "");
        assertThat(stock.less(4, false).quantity()).isEqualTo(10);
        assertThat(stock.less(5, false).quantity()).isEqualTo(100);
    }

    @Test
    void anOrderOfAnItemThatThereIsNotChangesNothing() {
        var before = new HashMap<>(store.rows);
        Answer answer = store.now(order(new TpccInput.Line(5, 1, 3), new TpccInput.Line(101, 1, 3)));

        assertThat(answer.status()).isEqualTo(Answer.Status.ROLLBACK);
        assertThat(store.rows.equals(before)).as("nothing has changed").isTrue();
    }

    @Test
    void aPaymentIsNotedOfBadCustomersAloneAndNeverTooLong() {
        int bad = 0;
        for (int customer = 1; customer <= 30; customer++) {
            Row.Customer before = store.get(Key.customer(1, 2, customer), Row.Customer.class);
            for (int i = 0; i < 10; i++) {
                store.now(new Unit.Payment(
                        1, 2, TpccInput.Who.numbered(1, 2, customer), 250, 0, -1L - i - customer * 10L));
            }
            Row.Customer after = store.get(Key.customer(1, 2, customer), Row.Customer.class);
            assertThat(after.balance()).isEqualTo(before.balance() - 2_500);
            assertThat(after.payments()).isEqualTo(11);
            assertThat(after.data().length()).isLessThanOrEqualTo(500);
            assertThat(after.data().equals(before.data()))
                    .isEqualTo(before.terms().good());
            bad += before.terms().good() ? 0 : 1;
        }
        assertThat(bad).isPositive();
        assertThat(Conditions.broken(Audit.of(store.rows))).isEmpty();
    }

    @Test
    void theOldestOrderIsDeliveredFirstAndThenThereIsNone() {
        for (int number = 22; number <= 30; number++) {
            assertThat(store.now(new Unit.Deliver(1, 1, 4, 9)).numbers()).containsExactly(number);
        }
        assertThat(store.now(new Unit.Deliver(1, 1, 4, 9)).numbers()).isEmpty();
        assertThat(store.get(Key.order(1, 1, 22), Row.Order.class).carrier()).isEqualTo(4);
        assertThat(Conditions.broken(Audit.of(store.rows))).isEmpty();
    }

    @Test
    void aStockLevelCountsItemsOfTheLastTwentyOrdersOnce() {
        List<Integer> items = store.now(new Unit.RecentItems(1, 1)).numbers();
        assertThat(items).doesNotHaveDuplicates().hasSizeBetween(10, 100);
        long few = items.stream()
                .filter(item -> store.get(Key.stock(1, item), Row.Stock.class).quantity() < 50)
                .count();
        assertThat(store.now(new Unit.CountBelow(1, 50, items)).numbers()).containsExactly((int) few);
    }

    @Test
    void terminalsOfTheWholeMixKeepAllConditions() throws Exception {
        Ledger ledger = new Ledger(SCALE);
        Terminal terminal = new Terminal(store, ledger);
        Inputs inputs = new Inputs(SCALE, 2, 3);
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 3_000; i++) {
            Answer answer = terminal.run(inputs.next(TpccType.draw(random), 1 + i % 2, 1, random))
                    .toCompletableFuture()
                    .get();
            assertThat(answer.status()).isIn(Answer.Status.COMMIT, Answer.Status.ROLLBACK);
        }
        Audit audit = Audit.of(store.rows);
        assertThat(Conditions.broken(audit)).isEmpty();
        assertThat(ledger.broken(audit)).isEmpty();
    }
}
