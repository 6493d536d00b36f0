/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.top;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What became of transactions of one kind, per second; NaN where there is no earlier reading. */
record TransactionRates(double committed, double aborted, double refused, double unknown) {
    static final TransactionRates NONE = new TransactionRates(0, 0, 0, 0);

    /** By kind. */
    static Map<String, TransactionRates> of(
            @Nullable TransactionsReading before, @Nullable TransactionsReading now, double seconds) {
        Map<String, TransactionRates> rates = new TreeMap<>();
        if (now != null) {
            now.kinds().forEach((kind, has) -> {
                TransactionsReading.Outcomes had = before == null
                        ? TransactionsReading.Outcomes.NONE
                        : before.kinds().getOrDefault(kind, TransactionsReading.Outcomes.NONE);
                rates.put(
                        kind,
                        new TransactionRates(
                                (has.committed() - had.committed()) / seconds,
                                (has.aborted() - had.aborted()) / seconds,
                                (has.refused() - had.refused()) / seconds,
                                (has.unknown() - had.unknown()) / seconds));
            });
        }
        return rates;
    }

    TransactionRates plus(TransactionRates other) {
        return new TransactionRates(
                committed + other.committed, aborted + other.aborted, refused + other.refused, unknown + other.unknown);
    }
}
