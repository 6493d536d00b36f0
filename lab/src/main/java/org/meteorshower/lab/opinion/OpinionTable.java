/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.opinion;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.meteorshower.lab.opinion.Answer.Opinion;

/** Counts comparisons, a row for each property of the histories of one name. */
final class OpinionTable {
    private static final String FORM = "%-35s %-26s %9s %9s %8s %5s %6s";

    private static final class Row {
        int accepted;
        int refused;
        int open;
        int differ;

        void add(Comparison comparison) {
            if (comparison.isOpen()) {
                open++;
            } else if (comparison.differs()) {
                differ++;
            } else if (comparison.ours().is(Opinion.ACCEPTED)) {
                accepted++;
            } else {
                refused++;
            }
        }

        void add(Row other) {
            accepted += other.accepted;
            refused += other.refused;
            open += other.open;
            differ += other.differ;
        }

        int all() {
            return accepted + refused + open + differ;
        }
    }

    private final PrintWriter out;
    private final Map<String, Row> rows = new LinkedHashMap<>();
    private final Map<String, Row> sums = new LinkedHashMap<>();

    OpinionTable(PrintWriter out) {
        this.out = out;
    }

    void head() {
        out.println(String.format(
                Locale.ROOT, FORM, "histories of", "property", "histories", "both: yes", "both: no", "open", "differ"));
    }

    /** @param judge that ours is compared with */
    void add(String judge, Comparison comparison) {
        rows.computeIfAbsent(comparison.property(), property -> new Row()).add(comparison);
        sums.computeIfAbsent(judge, property -> new Row()).add(comparison);
    }

    /** Prints what was added since the last time. */
    void print(String name) {
        rows.forEach((property, row) -> out.println(line(name, property, row)));
        rows.clear();
    }

    void printSums() {
        sums.forEach((judge, row) -> out.println(line("all", "ours and " + judge, row)));
    }

    private static String line(String name, String property, Row row) {
        return String.format(
                Locale.ROOT,
                FORM,
                name,
                property,
                row.all(),
                row.accepted,
                row.refused,
                row.open,
                row.differ + (row.differ > 0 ? " <-" : ""));
    }

    int compared() {
        return total().all();
    }

    int open() {
        return total().open;
    }

    int differ() {
        return total().differ;
    }

    private Row total() {
        Row total = new Row();
        sums.values().forEach(total::add);
        return total;
    }
}
