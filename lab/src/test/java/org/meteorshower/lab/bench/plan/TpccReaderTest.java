/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.meteorshower.lab.tpcc.TpccScale;

final class TpccReaderTest {
    private static final String GOOD = """
            seconds: 5
            systems: [catenae, 2pl-paxos-commit]
            networks: [{delay: 50}]
            workloads: [{name: t, rate: closed, transactions: tpcc}]
            """;

    private static WorkloadSpec workload(String keys) {
        return PlanReader.read("t.yaml", GOOD.replace("transactions: tpcc", "transactions: tpcc" + keys))
                .workloads()
                .get(0);
    }

    private static TpccSpec tpcc(String keys) {
        return Objects.requireNonNull(workload(keys).tpcc());
    }

    @Test
    void withoutMoreItIsSmallAndNobodyThinks() {
        assertThat(tpcc("")).isEqualTo(new TpccSpec(TpccScale.SMALL, false, false));
        assertThat(tpcc("").text()).contains("(the standard's: 10, 3000, 100000)", "no keying or thinking times");
        assertThat(workload("").transactions()).isEqualTo(TransactionMix.TPCC);
    }

    @Test
    void aScaleIsNamedAndEachNumberOfItCanBeSaid() {
        assertThat(tpcc(", scale: standard, warehouses: 4, thinking: yes, homes: near"))
                .isEqualTo(new TpccSpec(new TpccScale(4, 10, 3_000, 100_000), true, true));
        assertThat(tpcc(", districts: 2, customers: 30, items: 200").scale()).isEqualTo(new TpccScale(1, 2, 30, 200));
        assertThat(tpcc(", scale: standard").text()).doesNotContain("the standard's:");
    }

    @Test
    void whatComesWithTheToolIsOfTheStandardsMix() {
        BenchPlan plan = Presets.preset("tpcc");
        assertThat(plan.workloads())
                .allSatisfy(workload -> assertThat(workload.tpcc()).isNotNull());
        assertThat(plan.systems()).extracting(SystemSpec::name).contains("catenae", "2pl-paxos-commit");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    transactions: tpcc | transactions: tpcc, scale: huge | must be small or standard, not 'huge'
                    transactions: tpcc | transactions: tpcc, homes: far | must be near or dealt, not 'far'
                    transactions: tpcc | transactions: tpcc, items: 100001 | must be a number from 1 to 100000 items
                    transactions: tpcc | transactions: transfer, items: 10 | only a workload with transactions: tpcc has items
                    closed, transactions: tpcc | 10, transactions: tpcc, thinking: yes | who thinks has no rate
                    catenae, 2pl | lwt, 2pl | TPC-C cannot be asked of lwt: its rows are in several partitions
                    catenae, 2pl | scalardb, 2pl | TPC-C cannot be asked of scalardb
                    """)
    void whatIsWrongIsTold(String right, String wrong, String message) {
        assertThat(GOOD).contains(right);
        assertThatThrownBy(() -> PlanReader.read("t.yaml", GOOD.replace(right, wrong)))
                .isInstanceOf(PlanException.class)
                .hasMessageContaining(message);
    }

    @Test
    void accordIsRefusedWithWhatItsLanguageCannotSay() {
        String accord =
                GOOD.replace("delay: 50", "delay: 50, cassandra: 6.0-alpha2").replace("catenae, 2pl", "accord, 2pl");
        assertThatThrownBy(() -> PlanReader.read("t.yaml", accord))
                .isInstanceOf(PlanException.class)
                .hasMessageContaining("read no ranges and have no keys computed from rows");
    }
}
