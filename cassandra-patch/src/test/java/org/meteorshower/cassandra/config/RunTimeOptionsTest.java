/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.meteorshower.protocol.Settings;

/** Changing options while the node runs is held to what the file is held to. */
class RunTimeOptionsTest {
    private final List<PluginConfig> told = new ArrayList<>();

    private RunTimeOptions of(String file) throws ConfigException {
        return new RunTimeOptions(ConfigParser.parse(file), told::add);
    }

    private static String value(RunTimeOptions options, String name) {
        return options.all().stream()
                .filter(option -> option.name().equals(name))
                .map(RunTimeOptions.Option::value)
                .findAny()
                .orElseThrow();
    }

    @Test
    void atTheStartEverythingIsAsTheFileSaysAndWouldBeReadBackTheSame() throws ConfigException {
        RunTimeOptions options = of("""
                dispatch_interval_ms: 2.5
                max_ahead_ms: 5000
                history: false
                weak_writes: raise
                journal: {segment_mb: 8, max_mb: 64}
                """);
        PluginConfig before = options.now();
        for (RunTimeOptions.Option option : options.all()) {
            assertThat(option.isChanged()).isFalse();
            options.set(option.name(), option.value());
        }

        assertThat(options.now().settings()).isEqualTo(before.settings());
        assertThat(options.now().weakWrites()).isEqualTo(WeakWrites.RAISE);
        assertThat(options.now().journal().maxMegabytes()).isEqualTo(64);
    }

    @Test
    void aChangeIsInForceAndToldWithTheLineForTheFile() throws ConfigException {
        RunTimeOptions options = of("");

        RunTimeOptions.Change change = options.set("dispatch_interval_ms", "20");

        assertThat(change)
                .isEqualTo(new RunTimeOptions.Change("dispatch_interval_ms", "10", "20", "dispatch_interval_ms: 20"));
        assertThat(told).hasSize(1);
        assertThat(told.get(0).settings().dispatchIntervalMicros()).isEqualTo(20_000);
        assertThat(options.now().settings().dispatchIntervalMicros()).isEqualTo(20_000);
        assertThat(options.all()).filteredOn(RunTimeOptions.Option::isChanged).hasSize(1);
        assertThat(options.set("journal.max_mb", "8192").line()).isEqualTo("journal: {max_mb: 8192}");
        assertThat(told.get(1).journal().maxMegabytes()).isEqualTo(8_192);
    }

    @Test
    void everyOptionThatCanBeChangedChangesWhatItIsNamedFor() throws ConfigException {
        RunTimeOptions options = of("");
        options.set("max_waiting_reads", "7");
        options.set("pull_after_ms", "11");
        options.set("dispatch_interval_ms", "12");
        options.set("rest_interval_ms", "13");
        options.set("min_flush_ms", "14");
        options.set("redundancy", "5");
        options.set("lead", "false");
        options.set("clock_error_ms", "16");
        options.set("watch_clocks", "false");
        options.set("settle_after_ms", "17");
        options.set("stream_timeout_ms", "180");
        options.set("max_records", "1900");
        options.set("lease_idle_ms", "20");
        options.set("weak_writes", "raise");

        Settings d = Settings.DEFAULTS;
        assertThat(options.now().settings())
                .isEqualTo(new Settings(
                        12_000,
                        13_000,
                        14_000,
                        5,
                        d.resendWindow(),
                        d.reorderWindow(),
                        16_000,
                        false,
                        d.maxAheadMicros(),
                        d.ceilingStepMicros(),
                        false,
                        d.history(),
                        17_000,
                        11_000,
                        180_000,
                        1_900,
                        d.recordsBytes(),
                        7,
                        d.announcementsPerMessage(),
                        20_000));
        assertThat(options.now().weakWrites()).isEqualTo(WeakWrites.RAISE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "dispatch_interval_ms | 0.5 | option 'dispatch_interval_ms' is '0.5', and must be a number from 1 to 1000",
                "lead | often | option 'lead' is 'often', and must be true or false",
                "weak_writes | drop | option 'weak_writes' is 'drop', and must be one of refuse raise",
                "journal.max_mb | 100 | option 'journal.max_mb' is '100', and must be a number from 128 to 1000000",
                "max_records | [1, 2] | option 'max_records' is a list, and must be a number from 1000",
                "stream_timeout_ms | 300 | the first may be a quarter of the second at most",
                "history | false | no option 'history' can be changed while the node runs",
                "token_secret | 0123456789abcdef | takes a restart",
            })
    void whatTheFileMayNotSayOrTakesARestartIsRefusedAndNothingChanges(String name, String text, String message)
            throws ConfigException {
        RunTimeOptions options = of("");

        assertThatThrownBy(() -> options.set(name, text))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(message);

        assertThat(told).isEmpty();
        assertThat(options.all()).noneMatch(RunTimeOptions.Option::isChanged);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "~", "{", "!!int true", "# nothing", "'"})
    void aTextThatIsNoValueIsRefused(String text) throws ConfigException {
        RunTimeOptions options = of("");

        assertThatThrownBy(() -> options.set("max_records", text))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("option 'max_records' is");
        assertThat(value(options, "max_records")).isEqualTo("1000000");
    }

    @Test
    void aLongTextIsNeitherParsedNorRepeated() throws ConfigException {
        assertThatThrownBy(() -> of("").set("max_records", "1".repeat(1_000_000)))
                .isInstanceOf(ConfigException.class)
                .message()
                .hasSizeLessThan(400);
    }

    @Test
    void aChangeCanBeTakenBackAndOthersStay() throws ConfigException {
        RunTimeOptions options = of("dispatch_interval_ms: 25");
        options.set("dispatch_interval_ms", "50");
        options.set("max_records", "5000");

        assertThat(options.reset("dispatch_interval_ms").after()).isEqualTo("25");

        assertThat(value(options, "dispatch_interval_ms")).isEqualTo("25");
        assertThat(value(options, "max_records")).isEqualTo("5000");
        assertThatThrownBy(() -> options.reset("history")).isInstanceOf(ConfigException.class);
    }
}
