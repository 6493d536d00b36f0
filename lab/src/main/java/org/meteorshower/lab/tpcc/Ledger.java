/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.tpcc;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What clients were told since the first rows: nothing of it may be missing in the end, and no more may be there than
 * what they did not hear of can account for. Thread-safe.
 */
public final class Ledger {
    private static final int MOST_TOLD = 3;

    private record Ordered(Audit.Place place, int number) {}

    /** What is counted of one kind. */
    private static final class Count {
        private long committed;
        private long unknown;
    }

    private final TpccScale scale;
    private final Map<Ordered, Integer> ordered = new HashMap<>();
    private final Set<Ordered> delivered = new HashSet<>();
    private final Map<TpccType, Count> counts = new TreeMap<>();
    private final Map<Integer, Long> paid = new TreeMap<>();
    private final List<String> twice = new ArrayList<>();

    public Ledger(TpccScale scale) {
        this.scale = scale;
    }

    synchronized void ordered(Unit.NewOrder unit, Answer answer) {
        count(TpccType.NEW_ORDER, answer);
        for (int number : answer.numbers()) {
            Ordered order = new Ordered(new Audit.Place(unit.warehouse(), unit.district()), number);
            if (ordered.put(order, unit.customer()) != null) {
                twice.add(order + " was told two clients");
            }
        }
    }

    synchronized void paid(Unit.Payment unit, Answer answer) {
        count(TpccType.PAYMENT, answer);
        if (answer.isCommitted()) {
            paid.merge(unit.warehouse(), unit.amount(), Long::sum);
        }
    }

    synchronized void delivered(Unit.Deliver unit, Answer answer) {
        if (!answer.isCommitted() || !answer.numbers().isEmpty()) {
            count(TpccType.DELIVERY, answer);
        }
        for (int number : answer.numbers()) {
            Ordered order = new Ordered(new Audit.Place(unit.warehouse(), unit.district()), number);
            if (!delivered.add(order)) {
                twice.add(order + " was delivered twice");
            }
        }
    }

    private void count(TpccType type, Answer answer) {
        Count count = counts.computeIfAbsent(type, none -> new Count());
        count.committed += answer.isCommitted() ? 1 : 0;
        count.unknown += answer.status() == Answer.Status.UNKNOWN ? 1 : 0;
    }

    /** What is wrong, in words; empty where nothing is. */
    public synchronized List<String> broken(Audit audit) {
        List<String> findings = new ArrayList<>(twice.subList(0, Math.min(MOST_TOLD, twice.size())));
        Map<Ordered, Audit.Order> there = new HashMap<>();
        audit.orders().forEach(order -> there.put(new Ordered(order.place(), order.id()), order));
        ordered.entrySet().stream()
                .filter(told -> {
                    Audit.Order order = there.get(told.getKey());
                    return order == null || order.customer() != told.getValue();
                })
                .limit(MOST_TOLD)
                .forEach(told -> findings.add(told.getKey() + " was acknowledged, and is not there"));
        delivered.stream()
                .filter(order -> {
                    Audit.Order found = there.get(order);
                    return found == null || !found.carried();
                })
                .limit(MOST_TOLD)
                .forEach(order -> findings.add(order + " was told to be delivered, and is not"));
        long first = (long) audit.districts().size() * scale.customers();
        long firstDelivered = first - (long) audit.districts().size() * scale.undelivered();
        between(TpccType.NEW_ORDER, audit.orders().size() - first, findings);
        between(TpccType.PAYMENT, audit.payments().size() - first, findings);
        between(
                TpccType.DELIVERY,
                audit.orders().stream().filter(Audit.Order::carried).count() - firstDelivered,
                findings);
        sums(audit, findings);
        return findings;
    }

    private void between(TpccType type, long there, List<String> findings) {
        Count count = counts.getOrDefault(type, new Count());
        if (there < count.committed || there > count.committed + count.unknown) {
            findings.add(there + " of " + type.word() + " are there, " + count.committed + " were acknowledged and "
                    + count.unknown + " did not answer");
        }
    }

    /** Of warehouses no less may have been paid than was acknowledged; with unknowns it may be more. */
    private void sums(Audit audit, List<String> findings) {
        long perWarehouse = (long) scale.districts() * scale.customers() * Population.firstPayment();
        long unknown = counts.getOrDefault(TpccType.PAYMENT, new Count()).unknown;
        for (Audit.Warehouse warehouse : audit.warehouses()) {
            long told = perWarehouse + paid.getOrDefault(warehouse.id(), 0L);
            if (warehouse.ytd() < told || (unknown == 0 && warehouse.ytd() != told)) {
                findings.add(
                        "warehouse " + warehouse.id() + " has " + warehouse.ytd() + ", " + told + " were acknowledged");
            }
        }
    }
}
