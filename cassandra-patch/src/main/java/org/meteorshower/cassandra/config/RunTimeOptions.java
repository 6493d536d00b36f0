/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Settings;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * The options of meteorshower.yaml that can be changed while the node runs, until its next start. A change is checked
 * by the parser of the file, together with all that it has to agree with. Thread-safe.
 */
public final class RunTimeOptions {
    private static final String JOURNAL_MAX = "journal.max_mb";
    private static final int LONGEST_VALUE = 100;

    /**
     * @param value now, as the file would say it
     * @param atStart what the file said, or the default
     */
    public record Option(String name, String value, String atStart) {
        public boolean isChanged() {
            return !value.equals(atStart);
        }
    }

    private final Map<String, Object> atStart;
    private final Map<String, Object> fixed = new LinkedHashMap<>();
    private final int segmentMegabytes;
    private final Consumer<PluginConfig> whenChanged;
    private Map<String, Object> values;
    private volatile PluginConfig now;

    /** @param whenChanged told what is in force from now on; of it only what can be changed here means something */
    public RunTimeOptions(PluginConfig config, Consumer<PluginConfig> whenChanged) {
        this.whenChanged = whenChanged;
        this.now = config;
        this.segmentMegabytes = config.journal().segmentMegabytes();
        this.atStart = changeable(config);
        this.values = atStart;
        // What cannot be changed, and must not turn into its default when the rest is parsed anew.
        fixed.put("max_ahead_ms", millis(config.settings().maxAheadMicros()));
        fixed.put("history", config.settings().history());
    }

    private static Map<String, Object> changeable(PluginConfig config) {
        Settings settings = config.settings();
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("weak_writes", config.weakWrites().name().toLowerCase(Locale.ROOT));
        values.put("max_waiting_reads", settings.maxWaitingReads());
        values.put("pull_after_ms", millis(settings.pullAfterMicros()));
        values.put("dispatch_interval_ms", millis(settings.dispatchIntervalMicros()));
        values.put("rest_interval_ms", millis(settings.restIntervalMicros()));
        values.put("min_flush_ms", millis(settings.minFlushMicros()));
        values.put("redundancy", settings.redundancy());
        values.put("lead", settings.lead());
        values.put("clock_error_ms", millis(settings.clockErrorMicros()));
        values.put("watch_clocks", settings.watchClocks());
        values.put("settle_after_ms", millis(settings.settleAfterMicros()));
        values.put("stream_timeout_ms", millis(settings.streamTimeoutMicros()));
        values.put("lease_idle_ms", millis(settings.leaseIdleMicros()));
        values.put("max_records", settings.maxRecords());
        values.put(JOURNAL_MAX, config.journal().maxMegabytes());
        return values;
    }

    /** Whole milliseconds without a fraction: it is shown. */
    private static Number millis(long micros) {
        return micros % 1_000 == 0 ? (Number) (micros / 1_000) : (Number) (micros / 1_000.0);
    }

    /** In force now. */
    public PluginConfig now() {
        return now;
    }

    public synchronized List<Option> all() {
        List<Option> options = new ArrayList<>();
        values.forEach(
                (name, value) -> options.add(new Option(name, value.toString(), String.valueOf(atStart.get(name)))));
        return options;
    }

    /**
     * @param text as the file would say it
     * @return how it was and is now; it is in force when this returns
     * @throws ConfigException if there is no such option, it takes a restart, or the value makes no sense
     */
    public synchronized Change set(String name, String text) throws ConfigException {
        requireChangeable(name);
        Map<String, Object> wanted = new LinkedHashMap<>(values);
        wanted.put(name, parsed(name, text));
        return change(name, wanted);
    }

    /** Back to what it was at the node's start. */
    public synchronized Change reset(String name) throws ConfigException {
        requireChangeable(name);
        Map<String, Object> wanted = new LinkedHashMap<>(values);
        wanted.put(name, Objects.requireNonNull(atStart.get(name)));
        return change(name, wanted);
    }

    /**
     * An option was changed.
     *
     * @param before as the file would say it
     * @param line for meteorshower.yaml, to keep it
     */
    public record Change(String name, String before, String after, String line) {}

    private Change change(String name, Map<String, Object> wanted) throws ConfigException {
        PluginConfig changed = ConfigParser.config(new OptionMap("", nested(wanted)));
        String before = String.valueOf(values.get(name));
        whenChanged.accept(changed);
        now = changed;
        values = changeable(changed);
        String after = String.valueOf(values.get(name));
        return new Change(name, before, after, line(name, after));
    }

    private static String line(String name, String value) {
        return name.equals(JOURNAL_MAX) ? "journal: {max_mb: " + value + "}" : name + ": " + value;
    }

    private Map<String, Object> nested(Map<String, Object> flat) {
        Map<String, Object> root = new LinkedHashMap<>(flat);
        root.putAll(fixed);
        root.put(
                "journal",
                Map.of("segment_mb", segmentMegabytes, "max_mb", Objects.requireNonNull(root.remove(JOURNAL_MAX))));
        return root;
    }

    private void requireChangeable(String name) throws ConfigException {
        if (!values.containsKey(name)) {
            throw new ConfigException("no option '" + shortened(name)
                    + "' can be changed while the node runs: SELECT name FROM meteorshower.settings lists what can; the rest is"
                    + " set in meteorshower.yaml, and takes a restart of the node");
        }
    }

    private static Object parsed(String name, String text) throws ConfigException {
        @Nullable Object value;
        try {
            value = text.length() > LONGEST_VALUE
                    ? null
                    : new Yaml(new SafeConstructor(new LoaderOptions())).load(text);
        } catch (RuntimeException e) {
            value = null; // the parser says so of most texts; of some it throws what it runs into
        }
        if (value == null) {
            throw new ConfigException("option '" + name + "' is '" + shortened(text)
                    + "', and must be a value such as meteorshower.yaml has; DELETE the row to go back to what it was at the"
                    + " node's start");
        }
        return value;
    }

    private static String shortened(String text) {
        return text.length() > LONGEST_VALUE ? text.substring(0, LONGEST_VALUE) + "..." : text;
    }
}
