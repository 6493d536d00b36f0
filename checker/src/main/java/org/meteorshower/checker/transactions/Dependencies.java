/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker.transactions;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Which transaction must come before which, and why. Nodes beyond the transactions stand for moments in real time. */
final class Dependencies {
    /** Why. */
    enum Why {
        /** The one appended before the other. */
        WW("appended before"),
        /** The other saw what the one appended. */
        WR("was seen by"),
        /** The one did not see what the other appended. */
        RW("did not see what was appended by"),
        /** The one ended before the other began. */
        REAL_TIME("ended before the start of");

        private final String words;

        Why(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }
    }

    record Edge(int from, int to, Why why, String list) {}

    private final List<RecordedTransaction> history;
    private final ListOrders orders;
    private final List<List<Edge>> out = new ArrayList<>();

    Dependencies(List<RecordedTransaction> history, ListOrders orders, boolean realTime) {
        this.history = history;
        this.orders = orders;
        for (int i = 0; i < history.size(); i++) {
            out.add(new ArrayList<>());
        }
        orders.lists().forEach(this::addWrites);
        for (int i = 0; i < history.size(); i++) {
            addReads(i);
        }
        if (realTime) {
            addRealTime();
        }
    }

    int nodes() {
        return out.size();
    }

    List<Edge> from(int node) {
        return out.get(node);
    }

    private void add(int from, int to, Why why, String list) {
        if (from != to && from >= 0 && to >= 0) {
            out.get(from).add(new Edge(from, to, why, list));
        }
    }

    private void addWrites(String list) {
        List<Integer> writers = orders.writersOf(list);
        for (int i = 1; i < writers.size(); i++) {
            add(writers.get(i - 1), writers.get(i), Why.WW, list);
        }
        if (!writers.isEmpty()) {
            for (int unread : orders.unreadWritersOf(list)) {
                add(writers.get(writers.size() - 1), unread, Why.WW, list);
            }
        }
    }

    private void addReads(int reader) {
        RecordedTransaction transaction = history.get(reader);
        if (!transaction.isOk()) {
            return;
        }
        for (RecordedTransaction.Step step : transaction.steps()) {
            if (step instanceof RecordedTransaction.Read read && read.values() != null) {
                List<String> values = read.values();
                List<Integer> writers = orders.writersOf(read.list());
                int last = -1;
                for (int i = values.size() - 1; i >= 0 && last < 0; i--) {
                    int writer = orders.writerOf(read.list(), values.get(i));
                    last = writer == reader ? -1 : writer; // Its own appends say nothing.
                }
                add(last, reader, Why.WR, read.list());
                addUnseen(reader, read.list(), writers.indexOf(last) + 1, writers);
            }
        }
    }

    /** The reader comes before whoever appended next. */
    private void addUnseen(int reader, String list, int next, List<Integer> writers) {
        int following = next < writers.size() && writers.get(next) == reader ? next + 1 : next;
        if (following < writers.size()) {
            add(reader, writers.get(following), Why.RW, list);
        } else {
            orders.unreadWritersOf(list).forEach(unread -> add(reader, unread, Why.RW, list));
        }
    }

    /** A chain of moments, one for each end: a transaction hangs on the last moment before its start. */
    private void addRealTime() {
        List<Integer> byEnd = new ArrayList<>();
        List<Integer> byStart = new ArrayList<>();
        for (int i = 0; i < history.size(); i++) {
            if (history.get(i).isOk()) {
                byEnd.add(i);
            }
            if (history.get(i).status() != RecordedTransaction.Status.FAIL) {
                byStart.add(i);
            }
        }
        byEnd.sort(Comparator.comparingLong(i -> history.get(i).endNanos()));
        byStart.sort(Comparator.comparingLong(i -> history.get(i).startNanos()));
        int first = out.size();
        int moments = 0;
        for (int begun : byStart) {
            while (moments < byEnd.size()
                    && history.get(byEnd.get(moments)).endNanos()
                            < history.get(begun).startNanos()) {
                out.add(new ArrayList<>());
                add(byEnd.get(moments), first + moments, Why.REAL_TIME, "");
                if (moments > 0) {
                    add(first + moments - 1, first + moments, Why.REAL_TIME, "");
                }
                moments++;
            }
            if (moments > 0) {
                add(first + moments - 1, begun, Why.REAL_TIME, "");
            }
        }
    }
}
