/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TransactionsConfigTest {
    @Test
    void withoutTheGroupThereAreNoTransactions() throws ConfigException {
        assertThat(ConfigParser.parse("").transactions()).isNull();
    }

    @Test
    void dataCentresKeepTheirOrder() throws ConfigException {
        TransactionsConfig config = ConfigParser.parse("transactions: {data_centres: [us, eu, asia], epoch_ms: 10}")
                .transactions();

        assertThat(config.dataCentres()).containsExactly("us", "eu", "asia");
        assertThat(config.replicas()).isEqualTo(3);
        assertThat(config.settings().epochMicros()).isEqualTo(10_000);
    }

    @Test
    void aListThatMakesNoSenseIsRefusedWithWhatIsAllowed() {
        for (String list : new String[] {"[]", "[eu, eu]", "[1, 2]", "eu", "['a,b']"}) {
            assertThatThrownBy(() -> ConfigParser.parse("transactions: {data_centres: " + list + "}"))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("transactions.data_centres");
        }
    }

    @Test
    void anOptionThatIsNotThereIsRefused() {
        assertThatThrownBy(() -> ConfigParser.parse("transactions: {data_centres: [eu], epoch: 5}"))
                .hasMessageContaining("transactions.epoch");
    }
}
