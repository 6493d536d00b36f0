/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.tpcc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each condition finds what it is for in a store that was spoiled. */
final class ConditionsTest {
    private static final TpccScale SCALE = new TpccScale(1, 2, 20, 50);

    private final MapStore store = MapStore.loaded(SCALE, 2, 3);
    private final Ledger ledger = new Ledger(SCALE);

    @BeforeEach
    void workForAWhile() throws Exception {
        Terminal terminal = new Terminal(store, ledger);
        Inputs inputs = new Inputs(SCALE, 2, 3);
        SplittableRandom random = new SplittableRandom(2);
        for (int i = 0; i < 400; i++) {
            terminal.run(inputs.next(TpccType.draw(random), 1 + i % 2, 1, random))
                    .toCompletableFuture()
                    .get();
        }
        assertThat(Conditions.broken(Audit.of(store.rows))).isEmpty();
        assertThat(ledger.broken(Audit.of(store.rows))).isEmpty();
    }

    private <R extends Row> void change(Key key, Class<R> type, UnaryOperator<R> change) {
        store.rows.put(key, change.apply(store.get(key, type)));
    }

    private static final Key PENDING = Key.district(Key.Kind.NEW_ORDERS, 1, 1);

    /** What is spoiled, and which conditions see it. */
    enum Spoiled {
        /** A payment that the warehouse's sum has lost. */
        WAREHOUSE_SUM(1, 8),
        DISTRICT_SUM(1, 9),
        /** A number that was given to nobody. */
        NEXT_NUMBER(2),
        /** A hole in the new orders. */
        HOLE(3, 5, 11),
        /** An order without one of its lines. */
        LINE(4, 6),
        /** An order that was taken out of the new ones and not delivered. */
        NOT_DELIVERED(5, 11),
        /** An order with a carrier, whose lines have no date. */
        NO_DATE(7),
        HISTORY(8, 9, 10),
        BALANCE(10, 12),
        /** Paid, and neither balance nor history knows. */
        PAID(12);

        @SuppressWarnings("ImmutableEnumChecker") // a list that nobody can change
        private final List<Integer> conditions;

        Spoiled(Integer... conditions) {
            this.conditions = List.of(conditions);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatIsSpoiledIsFoundByItsConditions(Spoiled spoiled) {
        spoil(spoiled);
        Audit audit = Audit.of(store.rows);
        if (spoiled == Spoiled.LINE) {
            audit.lines().remove(0);
        }
        List<String> broken = Conditions.broken(audit);
        for (int condition : spoiled.conditions) {
            assertThat(broken).anyMatch(text -> text.startsWith("condition 3.3.2." + condition + ":"));
        }
    }

    @Test
    void eachConditionHasSomethingThatItFinds() {
        List<Integer> found = new ArrayList<>();
        for (Spoiled spoiled : Spoiled.values()) {
            found.addAll(spoiled.conditions);
        }
        assertThat(found).contains(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
    }

    private void spoil(Spoiled spoiled) {
        switch (spoiled) {
            case WAREHOUSE_SUM -> change(Key.warehouseYtd(1), Row.Ytd.class, ytd -> new Row.Ytd(ytd.cents() - 100));
            case DISTRICT_SUM ->
                change(Key.district(Key.Kind.DISTRICT_YTD, 1, 1), Row.Ytd.class, ytd -> new Row.Ytd(ytd.cents() - 100));
            case NEXT_NUMBER ->
                change(
                        Key.district(Key.Kind.DISTRICT_NEXT, 1, 1),
                        Row.NextOrder.class,
                        next -> new Row.NextOrder(next.number() + 1));
            case HOLE ->
                change(
                        PENDING,
                        Row.NewOrders.class,
                        orders -> without(orders, orders.numbers().size() / 2));
            case NOT_DELIVERED -> change(PENDING, Row.NewOrders.class, orders -> without(orders, 0));
            case LINE -> {} // Of the audit itself: an order's row has its lines with it.
            case NO_DATE ->
                change(
                        Key.order(1, 1, 1),
                        Row.Order.class,
                        order -> new Row.Order(order.customer(), 0, 3, 0, true, order.lines()));
            case HISTORY -> store.rows.remove(Key.history(1, 1, 1));
            case BALANCE -> change(Key.customer(1, 1, 1), Row.Customer.class, customer -> with(customer, 1, 0));
            case PAID -> change(Key.customer(1, 1, 1), Row.Customer.class, customer -> with(customer, 0, 1));
        }
    }

    private static Row.NewOrders without(Row.NewOrders orders, int index) {
        List<Integer> left = new ArrayList<>(orders.numbers());
        left.remove(index);
        return new Row.NewOrders(left);
    }

    private static Row.Customer with(Row.Customer customer, long balance, long paid) {
        return new Row.Customer(
                customer.person(),
                customer.terms(),
                customer.balance() + balance,
                customer.paid() + paid,
                customer.payments(),
                customer.deliveries(),
                customer.data());
    }

    @Test
    void whatWasAcknowledgedAndIsNotThereIsFound() {
        Unit.NewOrder order = new Unit.NewOrder(1, 1, 4, List.of(new TpccInput.Line(1, 1, 1)), 0);
        ledger.ordered(order, Answer.committed(List.of(9_999), 0));
        assertThat(ledger.broken(Audit.of(store.rows)))
                .anyMatch(text -> text.contains("is not there"))
                .anyMatch(text -> text.contains("were acknowledged"));
    }

    @Test
    void oneNumberToldTwoClientsIsFound() {
        Unit.NewOrder order = new Unit.NewOrder(1, 1, 4, List.of(new TpccInput.Line(1, 1, 1)), 0);
        ledger.ordered(order, Answer.committed(List.of(9_999), 0));
        ledger.ordered(order, Answer.committed(List.of(9_999), 0));
        assertThat(ledger.broken(Audit.of(store.rows))).anyMatch(text -> text.contains("two clients"));
    }

    @Test
    void aPaymentThatTookEffectTwiceIsFoundAlthoughAllConditionsHold() {
        Unit.Payment payment = new Unit.Payment(1, 1, TpccInput.Who.numbered(1, 1, 1), 100, 0, -77);
        ledger.paid(payment, store.now(payment));
        store.now(new Unit.Payment(1, 1, TpccInput.Who.numbered(1, 1, 1), 100, 0, -78));

        Audit audit = Audit.of(store.rows);
        assertThat(Conditions.broken(audit)).isEmpty();
        assertThat(ledger.broken(audit)).anyMatch(text -> text.contains("payment"));
    }

    @Test
    void whatDidNotAnswerMayBeThereOrNot() {
        Unit.Payment payment = new Unit.Payment(1, 1, TpccInput.Who.numbered(1, 1, 1), 100, 0, -77);
        ledger.paid(payment, Answer.unknown(0, "late"));
        assertThat(ledger.broken(Audit.of(store.rows))).isEmpty();
        store.now(payment);
        assertThat(ledger.broken(Audit.of(Map.copyOf(store.rows)))).isEmpty();
    }
}
