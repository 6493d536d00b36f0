/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker.transactions;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Per list, the order of its appends as its longest read shows it; and whatever contradicts that already. */
final class ListOrders {
    /** Who appended a value, and whether it is the last one that this transaction appended to the list. */
    record Writer(int transaction, boolean isFinal) {}

    /** A contradiction that needs no cycle. */
    record Contradiction(Anomaly anomaly, List<String> steps) {}

    private final List<RecordedTransaction> history;
    private final Map<String, Map<String, Writer>> writers = new HashMap<>();
    private final Map<String, List<String>> longest = new TreeMap<>();
    private final Map<String, List<Integer>> unread = new TreeMap<>();

    ListOrders(List<RecordedTransaction> history) {
        this.history = history;
        for (int i = 0; i < history.size(); i++) {
            addWriter(i);
        }
    }

    /** @throws IllegalArgumentException if a value was appended twice to one list */
    private void addWriter(int transaction) {
        Map<String, String> last = new HashMap<>();
        for (RecordedTransaction.Step step : history.get(transaction).steps()) {
            if (step instanceof RecordedTransaction.Append append) {
                String before = last.put(append.list(), append.value());
                Map<String, Writer> ofList = writers.computeIfAbsent(append.list(), l -> new HashMap<>());
                if (before != null) {
                    ofList.put(before, new Writer(transaction, false));
                }
                if (ofList.put(append.value(), new Writer(transaction, true)) != null) {
                    throw new IllegalArgumentException("value " + append.value() + " is appended twice to list "
                            + append.list() + ": values appended to a list must be unique");
                }
            }
        }
    }

    /** What is wrong without looking at cycles; null where nothing is. To be called first. */
    @Nullable
    Contradiction check() {
        for (RecordedTransaction transaction : history) {
            if (transaction.isOk()) {
                Contradiction wrong = check(transaction);
                if (wrong != null) {
                    return wrong;
                }
            }
        }
        Contradiction wrong = prefixes();
        if (wrong == null) {
            noteUnread();
        }
        return wrong;
    }

    /** Each read against what the transaction itself has done before, and against who wrote what it saw. */
    private @Nullable Contradiction check(RecordedTransaction transaction) {
        Map<String, List<String>> expected = new HashMap<>();
        Map<String, List<String>> own = new HashMap<>();
        for (RecordedTransaction.Step step : transaction.steps()) {
            String list = step.list();
            if (step instanceof RecordedTransaction.Append append) {
                own.computeIfAbsent(list, l -> new ArrayList<>()).add(append.value());
                List<String> known = expected.get(list);
                if (known != null) {
                    known.add(append.value());
                }
            } else if (step instanceof RecordedTransaction.Read read && read.values() != null) {
                List<String> values = read.values();
                List<String> tail = own.getOrDefault(list, List.of());
                List<String> known = expected.get(list);
                boolean endsWithOwn = values.size() >= tail.size()
                        && values.subList(values.size() - tail.size(), values.size())
                                .equals(tail);
                if (!endsWithOwn || (known != null && !known.equals(values))) {
                    return new Contradiction(
                            Anomaly.INTERNAL,
                            List.of(transaction.toString(), "list " + list + " is not as it left it"));
                }
                expected.put(list, new ArrayList<>(values));
                Contradiction wrong = seen(transaction, list, values.subList(0, values.size() - tail.size()));
                if (wrong != null) {
                    return wrong;
                }
            }
        }
        return null;
    }

    private @Nullable Contradiction seen(RecordedTransaction reader, String list, List<String> values) {
        HashSet<String> distinct = new HashSet<>();
        for (int i = 0; i < values.size(); i++) {
            Writer writer = writers.getOrDefault(list, Map.of()).get(values.get(i));
            if (!distinct.add(values.get(i))) {
                return new Contradiction(
                        Anomaly.INCOMPATIBLE_ORDER,
                        List.of(reader.toString(), values.get(i) + " stands twice in list " + list));
            } else if (writer == null) {
                return new Contradiction(
                        Anomaly.G1A, List.of(reader.toString(), "nobody appended " + values.get(i) + " to " + list));
            }
            RecordedTransaction wrote = history.get(writer.transaction());
            if (wrote.status() == RecordedTransaction.Status.FAIL) {
                return new Contradiction(Anomaly.G1A, List.of(reader.toString(), "failed: " + wrote));
            } else if (!writer.isFinal() && !isNextOfSame(list, writer, values, i + 1)) {
                return new Contradiction(Anomaly.G1B, List.of(reader.toString(), "saw a part of: " + wrote));
            }
            longest.merge(list, values, (a, b) -> a.size() >= b.size() ? a : b);
        }
        return null;
    }

    private boolean isNextOfSame(String list, Writer writer, List<String> values, int next) {
        Writer following =
                next < values.size() ? writers.getOrDefault(list, Map.of()).get(values.get(next)) : null;
        return following != null && following.transaction() == writer.transaction();
    }

    private @Nullable Contradiction prefixes() {
        for (RecordedTransaction transaction : history) {
            for (RecordedTransaction.Step step : transaction.steps()) {
                if (transaction.isOk() && step instanceof RecordedTransaction.Read read && read.values() != null) {
                    List<String> values = read.values();
                    List<String> all = longest.getOrDefault(read.list(), List.of());
                    int common = Math.min(values.size(), all.size());
                    if (!values.subList(0, common).equals(all.subList(0, common))) {
                        return new Contradiction(
                                Anomaly.INCOMPATIBLE_ORDER,
                                List.of(transaction.toString(), "another read of " + read.list() + " saw " + all));
                    }
                    if (values.size() > all.size()) {
                        longest.put(read.list(), values); // What follows are the reader's own appends.
                    }
                }
            }
        }
        return null;
    }

    /** Whether a transaction certainly took effect: it says so, or somebody saw what it appended. */
    private boolean happened(RecordedTransaction transaction) {
        return transaction.isOk()
                || transaction.steps().stream()
                        .anyMatch(step -> step instanceof RecordedTransaction.Append append
                                && longest.getOrDefault(append.list(), List.of())
                                        .contains(append.value()));
    }

    /** Appends that happened and stand in no read come after everything that the longest read shows. */
    private void noteUnread() {
        for (int i = 0; i < history.size(); i++) {
            if (happened(history.get(i))) {
                for (RecordedTransaction.Step step : history.get(i).steps()) {
                    if (step instanceof RecordedTransaction.Append append
                            && !longest.getOrDefault(append.list(), List.of()).contains(append.value())) {
                        List<Integer> ofList = unread.computeIfAbsent(append.list(), l -> new ArrayList<>());
                        if (!ofList.contains(i)) {
                            ofList.add(i);
                        }
                    }
                }
            }
        }
    }

    /** The lists of which an order is known. */
    Iterable<String> lists() {
        java.util.TreeSet<String> all = new java.util.TreeSet<>(longest.keySet());
        all.addAll(unread.keySet());
        return all;
    }

    /** The transactions that appended to the list, in order, once each; those of unread appends are not among them. */
    List<Integer> writersOf(String list) {
        List<Integer> order = new ArrayList<>();
        for (String value : longest.getOrDefault(list, List.of())) {
            int writer = writers.getOrDefault(list, Map.of())
                    .getOrDefault(value, new Writer(-1, true))
                    .transaction();
            if (order.isEmpty() || order.get(order.size() - 1) != writer) {
                order.add(writer);
            }
        }
        return order;
    }

    /** Who appended to the list what nobody read: after everything that was read, in an order that is not known. */
    List<Integer> unreadWritersOf(String list) {
        return unread.getOrDefault(list, List.of());
    }

    /** Who appended this; -1 where nobody did. */
    int writerOf(String list, String value) {
        Writer writer = writers.getOrDefault(list, Map.of()).get(value);
        return writer == null ? -1 : writer.transaction();
    }
}
