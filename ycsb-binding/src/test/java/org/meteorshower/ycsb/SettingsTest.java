/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.ycsb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import java.time.Duration;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.meteorshower.client.ReadMode;
import site.ycsb.DBException;

final class SettingsTest {
    private final Properties properties = new Properties();

    SettingsTest() {
        properties.setProperty("hosts", "127.0.0.1, 127.0.0.2");
    }

    @Test
    void aHostIsAllThatIsNeeded() throws Exception {
        ClusterSettings cluster = ClusterSettings.of(properties);
        assertThat(cluster.hosts()).hasSize(2).allMatch(host -> host.getPort() == 9042);
        assertThat(cluster.keyspace()).isEqualTo("ycsb");
        assertThat(cluster.dataCentres()).isEmpty();
        assertThat(cluster.requestLimit()).isEqualTo(Duration.ofSeconds(12));
        assertThat(CassandraSettings.of(properties).write()).isEqualTo(DefaultConsistencyLevel.QUORUM);
        MeteorShowerSettings ours = MeteorShowerSettings.of(properties);
        assertThat(ours.mode()).isEqualTo(ReadMode.SEQUENTIAL);
        assertThat(ours.requireServed()).isTrue();
        assertThat(ours.isMoving()).isFalse();
    }

    @Test
    void everyPropertyIsHeard() throws Exception {
        properties.setProperty("port", "9142");
        properties.setProperty("cassandra.keyspace", "other");
        properties.setProperty("cassandra.datacenters", "us,eu");
        properties.setProperty("cassandra.readtimeoutmillis", "500");
        properties.setProperty("cassandra.coreconnections", "3");
        properties.setProperty("cassandra.scanconsistencylevel", "local_one");
        properties.setProperty("meteorshower.mode", "bounded:5000");
        properties.setProperty("meteorshower.failover", "true");
        properties.setProperty("meteorshower.roaming", "7");
        properties.setProperty("meteorshower.requireserved", "false");
        ClusterSettings cluster = ClusterSettings.of(properties);
        assertThat(cluster.hosts()).allMatch(host -> host.getPort() == 9142);
        assertThat(cluster.keyspace()).isEqualTo("other");
        assertThat(cluster.dataCentres()).containsExactly("us", "eu");
        assertThat(cluster.requestLimit()).isEqualTo(Duration.ofMillis(500));
        assertThat(cluster.connectionsPerNode()).isEqualTo(3);
        assertThat(MeteorShowerSettings.of(properties))
                .isEqualTo(new MeteorShowerSettings(
                        new ReadMode("bounded:5000"), true, 7, false, DefaultConsistencyLevel.LOCAL_ONE));
    }

    @Test
    void readsAndWritesOfPlainCassandraHaveLevelsOfTheirOwnAndScansFollowReads() throws Exception {
        properties.setProperty("cassandra.readconsistencylevel", "ALL");
        properties.setProperty("cassandra.writeconsistencylevel", "one");
        assertThat(CassandraSettings.of(properties))
                .isEqualTo(new CassandraSettings(
                        DefaultConsistencyLevel.ALL, DefaultConsistencyLevel.ONE, DefaultConsistencyLevel.ALL));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "hosts                          | ''       | hosts is missing",
                "hosts                          | no.such.host.invalid | no address is known for no.such.host.invalid",
                "port                           | 70000    | port=70000: must be a whole number from 1 to 65535",
                "cassandra.keyspace             | a;b      | cassandra.keyspace=a;b: must be letters",
                "cassandra.username             | me       | go together",
                "cassandra.datacenters          | eu,eu    | names one twice",
                "cassandra.readtimeoutmillis    | soon     | cassandra.readtimeoutmillis=soon: must be a whole number",
                "cassandra.readconsistencylevel | QUORUMM  | cassandra.readconsistencylevel=QUORUMM: must be one of ANY, ONE",
                "cassandra.writeconsistencylevel | SERIAL  | no serial level",
                "cassandra.redconsistencylevel  | ONE      | is no property of this binding; there are cassandra.",
            })
    void aWrongValueIsNamedTogetherWithWhatIsRight(String name, String value, String said) {
        properties.setProperty(name, value);
        assertThatExceptionOfType(DBException.class)
                .isThrownBy(() -> {
                    ClusterSettings.of(properties);
                    CassandraSettings.of(properties);
                })
                .withMessageContaining(said);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "meteorshower.mode              | eventual | meteorshower.mode=eventual: must be sequential, meteorshower1",
                "meteorshower.failover          | yes      | meteorshower.failover=yes: must be true or false",
                "meteorshower.roaming           | -1       | meteorshower.roaming=-1: must be a whole number from 0",
                "meteorshower.mod               | strict   | meteorshower.mod is no property of this binding",
                "cassandra.readconsistencylevel | ONE      | this binding reads and writes at QUORUM",
            })
    void whatMeteorShowerCannotDoIsRefused(String name, String value, String said) {
        properties.setProperty(name, value);
        assertThatExceptionOfType(DBException.class)
                .isThrownBy(() -> MeteorShowerSettings.of(properties))
                .withMessageContaining(said);
    }

    @Test
    void thePasswordIsNotPrinted() throws Exception {
        properties.setProperty("cassandra.username", "me");
        properties.setProperty("cassandra.password", "hush");
        assertThat(ClusterSettings.of(properties).toString()).doesNotContain("hush");
    }
}
