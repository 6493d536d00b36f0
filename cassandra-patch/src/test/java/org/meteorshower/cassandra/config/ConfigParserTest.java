/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.meteorshower.cassandra.memory.MemoryShares;
import org.meteorshower.cassandra.memory.MemoryUser;
import org.meteorshower.protocol.Settings;

class ConfigParserTest {
    private static void assertRefused(String text, String... parts) {
        assertThatThrownBy(() -> ConfigParser.parse(text))
                .isInstanceOf(ConfigException.class)
                .message()
                .contains(parts);
    }

    @Test
    void anEmptyFileMeansTheDefaults() throws ConfigException {
        PluginConfig config = ConfigParser.parse("");
        assertThat(config.settings()).isEqualTo(Settings.DEFAULTS);
        assertThat(config.transportPort()).isEqualTo(7600);
        assertThat(config.weakWrites()).isEqualTo(WeakWrites.REFUSE);
        assertThat(config.tokenSecrets()).isEmpty();
        assertThat(config.wanFile()).isNull();
        assertThat(config.journal().sync()).isNull();
    }

    @Test
    void optionsAreRead() throws ConfigException {
        PluginConfig config = ConfigParser.parse("""
                transport:
                  address: 10.0.0.1
                  port: 7700
                token_secrets:
                  1: 00112233445566778899aabbccddeeff
                  2: 'a text of sixteen bytes or more'
                token_secret_id: 1
                weak_writes: raise
                dispatch_interval_ms: 2.5
                redundancy: 3
                lead: false
                journal:
                  directory: /tmp/journal
                  sync: always
                wan:
                  file: /tmp/wan.properties
                """);
        assertThat(config.transportAddress()).isEqualTo("10.0.0.1");
        assertThat(config.transportPort()).isEqualTo(7700);
        assertThat(config.tokenSecrets()).containsOnlyKeys(1, 2);
        assertThat(config.tokenSecrets().get(1)).hasSize(16);
        assertThat(config.tokenSecretId()).isEqualTo(1);
        assertThat(config.weakWrites()).isEqualTo(WeakWrites.RAISE);
        assertThat(config.settings().dispatchIntervalMicros()).isEqualTo(2_500);
        assertThat(config.settings().redundancy()).isEqualTo(3);
        assertThat(config.settings().lead()).isFalse();
        assertThat(config.journal().directory()).isEqualTo(Path.of("/tmp/journal"));
        assertThat(config.journal().sync()).isEqualTo(PluginConfig.JournalSync.ALWAYS);
        assertThat(config.wanFile()).isEqualTo(Path.of("/tmp/wan.properties"));
    }

    @Test
    void metricsAreServedNowhereUnlessAPortIsGivenAndThenOnLoopbackUnlessToldOtherwise() throws ConfigException {
        assertThat(ConfigParser.parse("").metrics()).isNull();
        assertThat(ConfigParser.parse("metrics: {address: 127.0.0.9}").metrics())
                .isNull();
        var here = ConfigParser.parse("metrics: {port: 7700}").metrics();
        assertThat(here).isNotNull();
        assertThat(here.address().getAddress().isLoopbackAddress()).isTrue();
        assertThat(here.address().getPort()).isEqualTo(7700);
        assertThat(here.secret()).isNull();
        assertThat(ConfigParser.parse("metrics: {port: 7700, address: 127.0.0.9}")
                        .metrics()
                        .address()
                        .getAddress()
                        .getHostAddress())
                .isEqualTo("127.0.0.9");
        assertRefused("metrics: {port: 70000}", "'metrics.port'", "from 0 to 65535");
        assertRefused("metrics: {prot: 1}", "'metrics.port'");
        assertRefused("metrics: {port: 1, address: 'not an address'}", "'metrics.address'", "address of this machine");
    }

    @Test
    void noAddressThatOtherMachinesReachAnswersWithoutASecret() throws ConfigException {
        assertRefused("metrics: {port: 7700, address: 10.0.0.1}", "'10.0.0.1'", "'metrics.secret'", "credentials");
        assertRefused("metrics: {port: 7700, address: 0.0.0.0}", "'0.0.0.0'", "'metrics.secret'");
        assertRefused("metrics: {port: 7700, address: '::'}", "'metrics.secret'");
        assertRefused("metrics: {port: 7700, secret: short}", "'metrics.secret'", "(not shown)", "at least 16");
        assertRefused("metrics: {secret: 'with blanks in its middle'}", "'metrics.secret'", "without blanks");
        var open = ConfigParser.parse("metrics: {port: 7700, address: 0.0.0.0, secret: sixteen-letters!}")
                .metrics();
        assertThat(open).isNotNull();
        assertThat(open.address().getAddress().isAnyLocalAddress()).isTrue();
        assertThat(open.secret()).isEqualTo("sixteen-letters!");
    }

    @Test
    void anUnknownOptionIsRefusedAndTheNearestOneNamed() {
        assertRefused("dispatch_intervall_ms: 5", "'dispatch_intervall_ms'", "'dispatch_interval_ms'");
        assertRefused("transport: {prot: 1}", "'transport.prot'", "'transport.port'");
    }

    @Test
    void aWrongTypeOrRangeIsRefusedWithValueAndLimits() {
        assertRefused("redundancy: 9", "'redundancy'", "'9'", "from 0 to 8");
        assertRefused("redundancy: many", "'redundancy'", "'many'", "a number");
        assertRefused("dispatch_interval_ms: 0", "'dispatch_interval_ms'", "from 1 to 1000");
        assertRefused("dispatch_interval_ms: .nan", "'dispatch_interval_ms'", "from 1 to 1000");
        assertRefused("lead: maybe", "'lead'", "true or false");
        assertRefused("weak_writes: maybe", "'weak_writes'", "one of refuse raise");
        assertRefused("transport: 5", "'transport'", "a group of options");
        assertRefused("- a list", "'option: value'");
        assertRefused("a: [", "no YAML");
        assertRefused("journal: {segment_mb: 1000, max_mb: 100}", "'journal.max_mb'", "from 4000");
    }

    @Test
    void sharesOfTheHeapAreRead() throws ConfigException {
        PluginConfig config = ConfigParser.parse("memory: {records: 0.2, largest_write_mb: 2}");

        assertThat(config.memory()).isEqualTo(new MemoryShares(Map.of(MemoryUser.RECORDS, 0.2), 2));
        assertThat(ConfigParser.parse("").memory()).isEqualTo(MemoryShares.DEFAULTS);
        assertRefused("memory: {records: 0.6}", "'memory.records'", "from 0.001 to 0.5");
        assertRefused("memory: {record: 0.1}", "'memory.record'", "'memory.records'");
        assertRefused("memory: {largest_write_mb: 0}", "'memory.largest_write_mb'", "from 1");
    }

    @Test
    void secretsAreCheckedAndNeverShown() {
        assertRefused("token_secret: short", "'token_secret'", "not shown", "at least 16 bytes");
        assertRefused(
                "{token_secret: 'sixteen letters!', token_secrets: {1: 'sixteen letters!'}}", "exclude each other");
        assertRefused("token_secrets: {300: 'sixteen letters!'}", "0 to 255");
        assertRefused("{token_secrets: {1: 'sixteen letters!'}, token_secret_id: 2}", "'token_secret_id'");
    }

    /** Each is a mistake that somebody makes, beside a secret. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "token_secret: \"0hush0hush0hush0\nlead: true",
                "token_secret: 0hush0hush0hush0: x",
                "token_secret 0hush0hush0hush0",
                "- 0hush0hush0hush0",
                "0hush0hush0hush0",
                "token_secret: *0hush0hush0hush0",
                "token_secret: !0hush0hush0hush0 x",
                "token_secret: !!int 0hush0hush0hush0",
                "lead: true\n  token_secret: 0hush0hush0hush0",
                "token_secret: [0hush0hush0hush0",
                "transport: {secret: [0hush0hush0hush0]}",
                "token_secrets: [0hush0hush0hush0]",
                "token_secrets: {x: 0hush0hush0hush0}",
                "metrics: {secret: [0hush0hush0hush0]}",
                "metrics: {secret: '0hush0hush0 hush0'}",
            })
    void noErrorShowsASecret(String text) {
        assertThatThrownBy(() -> ConfigParser.parse(text))
                .isInstanceOf(ConfigException.class)
                .hasNoCause()
                .message()
                .doesNotContain("hush");
    }

    @Test
    void nothingOfTheConfigurationIsPrintedByAccident() throws ConfigException {
        PluginConfig config = ConfigParser.parse("token_secret: 0hush0hush0hush0\ntransport: {secret: 0hush0}\n"
                + "metrics: {port: 7700, secret: 0hush0hush0hush0}");
        assertThat(config.toString()).doesNotContain("hush");
        assertThat(String.valueOf(config.metrics())).doesNotContain("hush").contains("7700");
    }
}
