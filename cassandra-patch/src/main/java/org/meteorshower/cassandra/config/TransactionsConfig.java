/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.config;

import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;
import org.meteorshower.transactions.port.Budget;
import org.meteorshower.transactions.port.Settings;

/**
 * Transactions, where they are configured.
 *
 * @param dataCentres that take part; their order is part of the agreement
 * @param replicas of what a data centre keeps for itself, within it
 * @param changeBytes that the change stream may take on a data centre's disks, before replication; 0 where there is
 *     none
 * @param allowPeriodicCommitLog whether to vote though votes may be forgotten with the power
 */
public record TransactionsConfig(
        List<String> dataCentres,
        int replicas,
        Settings settings,
        PlainStatements plainStatements,
        long changeBytes,
        boolean allowPeriodicCommitLog) {
    /** The log is on disk: an hour away needs no snapshot, as far as that has room. */
    private static final long DEAD_MICROS = 3_600_000_000L;

    /** Classes are loaded and compiled in these minutes, and what is loaded fills the heap for the first time. */
    private static final long SETTLING_MICROS = 120_000_000;

    private static final int LOG_DISK_MB = 4_096;
    private static final long MEBIBYTE = 1L << 20;
    private static final int MOST_DATA_CENTRES = 31;
    private static final Pattern NAME = Pattern.compile("[^',]{1,100}");

    public TransactionsConfig {
        dataCentres = List.copyOf(dataCentres);
    }

    static TransactionsConfig of(OptionMap options) throws ConfigException {
        List<String> dataCentres = options.strings("data_centres");
        if (dataCentres.isEmpty()
                || dataCentres.size() > MOST_DATA_CENTRES
                || new HashSet<>(dataCentres).size() < dataCentres.size()
                || !dataCentres.stream().allMatch(name -> NAME.matcher(name).matches())) {
            throw options.wrong(
                    "data_centres",
                    dataCentres,
                    "a list of 1 to " + MOST_DATA_CENTRES + " names of data centres, each once, without commas and"
                            + " apostrophes, in the same order at all nodes");
        }
        long changeBytes = options.integer("changes_disk_mb", 0, 0, 1_000_000) * MEBIBYTE;
        PlainStatements plain = options.oneOf("plain_statements", PlainStatements.class);
        return new TransactionsConfig(
                dataCentres,
                options.integer("replicas", 3, 1, 99),
                settings(options, changeBytes > 0),
                plain == null ? PlainStatements.TRANSACT : plain,
                changeBytes,
                options.bool("allow_periodic_commitlog", false));
    }

    private static Settings settings(OptionMap options, boolean keepsChanges) throws ConfigException {
        Settings defaults = Settings.DEFAULT;
        return new Settings(
                options.millisAsMicros("epoch_ms", defaults.epochMicros(), 1, 100),
                defaults.progressMicros(),
                options.millisAsMicros("suspicion_ms", defaults.suspicionFloorMicros(), 50, 60_000),
                SETTLING_MICROS,
                defaults.staggerMicros(),
                defaults.phase1Micros(),
                defaults.handBackMicros(),
                defaults.clockToleranceMicros(),
                defaults.mostUndecided(),
                options.integer("max_queued", defaults.mostQueued(), 1, 1_000_000),
                defaults.mostPerEntry(),
                options.millisAsMicros("checkpoint_ms", defaults.checkpointMicros(), 50, 60_000),
                options.millisAsMicros("dead_after_ms", DEAD_MICROS, 1_000, 86_400_000),
                options.millisAsMicros("session_idle_ms", defaults.sessionIdleMicros(), 10_000, 864_000_000),
                options.integer("rows_in_memory", 20_000, 100, 100_000_000),
                options.millisAsMicros("doze_after_ms", defaults.dozeMicros(), 0, 3_600_000),
                budget(options.integer("log_disk_mb", LOG_DISK_MB, 64, 1_000_000) * MEBIBYTE),
                keepsChanges);
    }

    /** What is kept on the heap is said where that is known. */
    private static Budget budget(long logBytes) {
        Budget usual = Budget.DEFAULT;
        return Budget.of(usual.laneBytes(), usual.rowBytes(), usual.queuedBytes(), logBytes);
    }

    /** The same, with room for so much on the heap, in bytes. */
    public TransactionsConfig within(long laneBytes, long rowBytes, long queuedBytes) {
        Budget budget =
                Budget.of(laneBytes, rowBytes, queuedBytes, settings.budget().logBytes());
        return new TransactionsConfig(
                dataCentres,
                replicas,
                settings.withBudget(budget),
                plainStatements,
                changeBytes,
                allowPeriodicCommitLog);
    }
}
