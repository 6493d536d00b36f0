/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import org.meteorshower.protocol.Settings;
import org.meteorshower.transport.WireVersions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;

/** Reads meteorshower.yaml. Whatever it does not know it refuses: a misspelt option must not be a silent default. */
public final class ConfigParser {
    private ConfigParser() {}

    public static PluginConfig read(Path file) throws ConfigException {
        try {
            return parse(Files.readString(file));
        } catch (IOException e) {
            throw new ConfigException("cannot be read: " + e);
        }
    }

    public static PluginConfig parse(String text) throws ConfigException {
        Object root;
        try {
            root = new Yaml(new SafeConstructor(new LoaderOptions())).load(text);
        } catch (YAMLException e) {
            throw new ConfigException("is no YAML: " + told(e));
        } catch (RuntimeException e) {
            // The parser says so of most texts; of some, such as "!!int true", it throws what it runs into.
            throw new ConfigException("is no YAML: " + e.getClass().getSimpleName());
        }
        if (root != null && !(root instanceof Map)) {
            throw new ConfigException("must hold lines of the form 'option: value', and holds "
                    + (root instanceof Collection ? "a list" : "none"));
        }
        return config(new OptionMap("", root == null ? Map.of() : (Map<?, ?>) root));
    }

    /** The parser's own message quotes the lines around the mistake, and a secret may stand there. */
    private static String told(YAMLException e) {
        if (!(e instanceof MarkedYAMLException marked) || marked.getProblemMark() == null) {
            return e.getClass().getSimpleName();
        }
        Mark mark = marked.getProblemMark();
        return "the mistake is at line " + (mark.getLine() + 1) + ", column " + (mark.getColumn() + 1) + ", or before ("
                + e.getClass().getSimpleName() + ")";
    }

    static PluginConfig config(OptionMap options) throws ConfigException {
        OptionMap transport = options.section("transport");
        OptionMap journal = options.section("journal");
        OptionMap wan = options.section("wan");
        OptionMap background = options.section("background");
        OptionMap metrics = options.section("metrics");
        OptionMap check = options.section("online_check");
        OptionMap memory = options.section("memory");
        OptionMap transactions = options.section("transactions");
        WeakWrites weakWrites = options.oneOf("weak_writes", WeakWrites.class);
        PluginConfig config = new PluginConfig(
                transport.string("address"),
                transport.integer("port", 7600, 1, 65_535),
                transport.string("secret"),
                newestVersion(transport),
                Secrets.of(options),
                Secrets.chosen(options),
                weakWrites == null ? WeakWrites.REFUSE : weakWrites,
                journalFiles(journal),
                wan.path("file"),
                settings(options),
                options.bool("automatic_return", true),
                options.integer("catch_up_ms", 60_000, 0, 3_600_000),
                options.bool("automatic_baseline", true),
                options.bool("live_moves", true),
                options.bool("carry_answers", true),
                BackgroundOptions.of(background),
                MetricsEndpoint.of(metrics),
                new PluginConfig.OnlineChecks(
                        check.fraction("share", 0), check.integer("max_reads", 20_000, 100, 1_000_000)),
                MemoryOptions.of(memory),
                options.has("transactions") ? TransactionsConfig.of(transactions) : null);
        for (OptionMap each :
                new OptionMap[] {transport, journal, wan, background, metrics, check, memory, transactions, options}) {
            each.refuseOthers();
        }
        return config;
    }

    private static int newestVersion(OptionMap transport) throws ConfigException {
        int newest = WireVersions.ALL.newest();
        return transport.integer("newest_version", newest, WireVersions.ALL.oldest(), newest);
    }

    private static PluginConfig.JournalFiles journalFiles(OptionMap journal) throws ConfigException {
        int segmentMegabytes = journal.integer("segment_mb", 32, 1, 1_024);
        return new PluginConfig.JournalFiles(
                journal.path("directory"),
                segmentMegabytes,
                journal.integer("max_mb", 4_096, 4 * segmentMegabytes, 1_000_000),
                journal.oneOf("sync", PluginConfig.JournalSync.class),
                journal.integer("sync_interval_ms", 1_000, 1, 3_600_000),
                journal.bool("await_commit_log", false));
    }

    private static Settings settings(OptionMap options) throws ConfigException {
        Settings defaults = Settings.DEFAULTS;
        Settings settings = new Settings(
                options.millisAsMicros("dispatch_interval_ms", defaults.dispatchIntervalMicros(), 1, 1_000),
                options.millisAsMicros("rest_interval_ms", defaults.restIntervalMicros(), 0, 1_000),
                options.millisAsMicros("min_flush_ms", defaults.minFlushMicros(), 0, 1_000),
                options.integer("redundancy", defaults.redundancy(), 0, 8),
                defaults.resendWindow(),
                defaults.reorderWindow(),
                options.millisAsMicros("clock_error_ms", defaults.clockErrorMicros(), 0, 60_000),
                options.bool("watch_clocks", defaults.watchClocks()),
                options.millisAsMicros("max_ahead_ms", defaults.maxAheadMicros(), 1_000, 86_400_000),
                defaults.ceilingStepMicros(),
                options.bool("lead", defaults.lead()),
                options.bool("history", defaults.history()),
                options.millisAsMicros("settle_after_ms", defaults.settleAfterMicros(), 10, 600_000),
                options.millisAsMicros("pull_after_ms", defaults.pullAfterMicros(), 10, 600_000),
                options.millisAsMicros("stream_timeout_ms", defaults.streamTimeoutMicros(), 100, 600_000),
                options.integer("max_records", defaults.maxRecords(), 1_000, 1_000_000_000),
                defaults.recordsBytes(),
                options.integer("max_waiting_reads", defaults.maxWaitingReads(), 1, 10_000_000),
                defaults.announcementsPerMessage(),
                options.millisAsMicros("lease_idle_ms", defaults.leaseIdleMicros(), 0, 86_400_000));
        if (4 * settings.restIntervalMicros() > settings.streamTimeoutMicros()) {
            throw new ConfigException(
                    "says rest_interval_ms: " + settings.restIntervalMicros() / 1_000
                            + ", and stream_timeout_ms: " + settings.streamTimeoutMicros() / 1_000
                            + ": the first may be a quarter of the second at most, else a node at rest is taken for a silent one");
        }
        return settings;
    }
}
