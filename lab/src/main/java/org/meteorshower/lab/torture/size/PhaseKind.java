/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** What is done to a cluster of its own, and for how much of the time. */
enum PhaseKind {
    BULK(0.25, true),
    BULK_DEATH(0.25, true),
    RESTORE(0.2, true),
    OUTAGE(0.25, false),
    SLOW_READER(0.05, false),
    WAITING_READS(0.05, false),
    DISK(0.15, true);

    /** Of the time of a run with all of them. */
    private final double share;

    private final boolean transactions;

    PhaseKind(double share, boolean transactions) {
        this.share = share;
        this.transactions = transactions;
    }

    /** Of the time of a run: it is given to those phases that there are, as they share it among all. */
    Duration part(Duration all, List<PhaseKind> phases) {
        double shares = phases.stream().mapToDouble(kind -> kind.share).sum();
        return Duration.ofMillis((long) (all.toMillis() * share / shares));
    }

    /** Whether transactions run, which take a larger heap. */
    boolean transactions() {
        return transactions;
    }

    Phase phase() {
        return switch (this) {
            case BULK -> new BulkPhase(false);
            case BULK_DEATH -> new BulkPhase(true);
            case RESTORE -> new RestorePhase();
            case OUTAGE -> new OutagePhase();
            case SLOW_READER -> new SlowReaderPhase();
            case WAITING_READS -> new WaitingReadsPhase();
            case DISK -> new DiskPhase();
        };
    }

    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Throws IllegalArgumentException where none is called so. */
    static PhaseKind named(String word) {
        return Stream.of(values())
                .filter(kind -> kind.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no phase is called '" + word + "'; there are "
                        + String.join(
                                ", ", Stream.of(values()).map(PhaseKind::word).toList())));
    }
}
