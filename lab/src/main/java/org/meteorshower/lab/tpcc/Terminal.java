/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.tpcc;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Carries out what a terminal asks for, in one or more units of a client. Thread-safe. */
public final class Terminal {
    private final TpccClient client;
    private final Ledger ledger;

    /** @param ledger told of all that changes something */
    public Terminal(TpccClient client, Ledger ledger) {
        this.client = client;
        this.ledger = ledger;
    }

    /** Never fails. Of a delivery the numbers are those of the orders, one for each district that had any. */
    public CompletionStage<Answer> run(TpccInput input) {
        if (input instanceof TpccInput.NewOrder order) {
            return client.run(order.unit()).whenComplete((answer, none) -> ledger.ordered(order.unit(), answer));
        } else if (input instanceof TpccInput.Payment payment) {
            return resolved(payment.who(), who -> pay(payment, who));
        } else if (input instanceof TpccInput.OrderStatus status) {
            return resolved(
                    status.who(), who -> client.run(new Unit.LastOrder(who.warehouse(), who.district(), who.id())));
        } else if (input instanceof TpccInput.Delivery delivery) {
            return deliver(delivery);
        }
        return level((TpccInput.StockLevel) input);
    }

    private CompletionStage<Answer> pay(TpccInput.Payment payment, TpccInput.Who who) {
        Unit.Payment unit = new Unit.Payment(
                payment.warehouse(), payment.district(), who, payment.amount(), payment.at(), payment.id());
        return client.run(unit).whenComplete((answer, none) -> ledger.paid(unit, answer));
    }

    /** By name it is the middle one by first name, rounded up (clause 2.5.2.2). */
    private CompletionStage<Answer> resolved(TpccInput.Who who, Function<TpccInput.Who, CompletionStage<Answer>> then) {
        if (!who.isNamed()) {
            return then.apply(who);
        }
        return client.named(who.warehouse(), who.district(), who.name())
                .handle((ids, failure) -> {
                    if (failure != null || ids.isEmpty()) {
                        return CompletableFuture.<Answer>completedFuture(Answer.aborted(
                                0, failure == null ? "nobody has this name" : String.valueOf(failure.getMessage())));
                    }
                    int middle = ids.get((ids.size() + 1) / 2 - 1);
                    return then.apply(TpccInput.Who.numbered(who.warehouse(), who.district(), middle));
                })
                .thenCompose(stage -> stage);
    }

    private CompletionStage<Answer> deliver(TpccInput.Delivery delivery) {
        List<CompletableFuture<Answer>> all = new ArrayList<>();
        for (int district : delivery.districts()) {
            Unit.Deliver unit = new Unit.Deliver(delivery.warehouse(), district, delivery.carrier(), delivery.at());
            all.add(client.run(unit)
                    .whenComplete((answer, none) -> ledger.delivered(unit, answer))
                    .toCompletableFuture());
        }
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                .thenApply(none ->
                        together(all.stream().map(CompletableFuture::join).toList()));
    }

    /** The worst of the answers, with all numbers. */
    private static Answer together(List<Answer> answers) {
        Answer worst = answers.get(0);
        List<Integer> numbers = new ArrayList<>();
        int retries = 0;
        for (Answer answer : answers) {
            numbers.addAll(answer.numbers());
            retries += answer.retries();
            if (answer.status().compareTo(worst.status()) > 0) {
                worst = answer;
            }
        }
        return new Answer(worst.status(), numbers, 0, retries, worst.reason());
    }

    private CompletionStage<Answer> level(TpccInput.StockLevel level) {
        return client.run(new Unit.RecentItems(level.warehouse(), level.district()))
                .thenCompose(recent -> {
                    if (!recent.isCommitted()) {
                        return CompletableFuture.completedFuture(recent);
                    }
                    return client.run(new Unit.CountBelow(
                                    level.warehouse(),
                                    level.threshold(),
                                    recent.numbers().stream().distinct().toList()))
                            .thenApply(answer -> answer.after(answer.retries() + recent.retries()));
                });
    }
}
