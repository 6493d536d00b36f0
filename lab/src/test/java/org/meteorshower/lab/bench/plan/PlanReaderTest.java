/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PlanReaderTest {
    private static final String GOOD = """
            seconds: 5
            systems: [cassandra-quorum, {name: five, client: meteorshower, mode: "bounded:5000", write: one, table: w=one}]
            networks:
              - delay: [10, 20, 30]
              - {name: near, delay: 0, systems: [cassandra-quorum], plugin: no}
            workloads:
              - {name: all, rate: 100}
              - {name: full, rate: closed, networks: [near], distribution: zipfian}
            """;

    @Test
    void aPlanSaysWhatIsMeasuredWhere() {
        BenchPlan plan = PlanReader.read("dir/mine.yaml", GOOD);

        assertThat(plan.name()).isEqualTo("mine");
        assertThat(plan.networks()).extracting(NetworkSpec::name).containsExactly("10/20/30 ms", "near");
        assertThat(plan.networks().get(0).meanDelayMillis()).isEqualTo(20);
        assertThat(plan.networks().get(0).isUniform()).isFalse();
        assertThat(plan.systems().get(1).mode()).isEqualTo("bounded:5000,write_one");
        assertThat(plan.workloads().get(1).isOpenLoop()).isFalse();
        // Both systems on the far network; one system under two workloads on the near one.
        assertThat(plan.runs()).isEqualTo(4);
        assertThat(plan.cells(plan.networks().get(1)))
                .allSatisfy(cell -> assertThat(cell.system().name()).isEqualTo("cassandra-quorum"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    seconds: 5         | seconds: soon         | line 1, seconds: must be a number from 1 to 3600 seconds, not 'soon'
                    seconds: 5         | duration: 5           | the key seconds is missing; for example seconds: 10
                    [cassandra-quorum, {  | [cassandra-quorom, { | line 2, systems[0]: no system is called 'cassandra-quorom'; there are cassandra-local-one
                    bounded:5000       | bonded:5000           | line 2, systems[1].mode: "bonded:5000" is not a read mode
                    write: one         | write: some           | line 2, systems[1].write: no consistency level is called 'some'; there are
                    [10, 20, 30]       | [10, 20]              | line 4, networks[0]: 2 delays for 3 pairs of data centres
                    plugin: no         | plugins: no           | line 5, networks[1].plugins: no such key; here are possible: delay, name
                    rate: 100          | rate: fast            | line 7, workloads[0].rate: must be a number from 0.1 to 100000
                    networks: [near]   | networks: [far]       | line 8, workloads[1].networks[0]: the plan has nothing called 'far'; it has 10/20/30 ms, near
                    name: full         | name: all             | line 8, workloads[1]: there are two of the name all
                    systems: [cassandra-quorum], plugin | plugin | the network near has no plugin, and five is nothing without it
                    """)
    void whatIsWrongIsToldWithItsPlaceAndItsCure(String right, String wrong, String message) {
        assertThat(GOOD).contains(right.strip());
        assertThatThrownBy(() -> PlanReader.read("mine.yaml", GOOD.replace(right.strip(), wrong.strip())))
                .isInstanceOf(PlanException.class)
                .hasMessageStartingWith("mine.yaml, line ")
                .hasMessageContaining(message.strip());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "seconds: [", "- 1", "a: 1\na: 2", "!!java.net.URL [http://x]", "seconds: 3\n---\nx: 1"})
    void whatIsNoPlanIsRefused(String text) {
        assertThatThrownBy(() -> PlanReader.read("mine.yaml", text))
                .isInstanceOf(PlanException.class)
                .hasMessageStartingWith("mine.yaml");
    }

    @Test
    void thePlansThatComeWithTheToolAreSound() {
        for (String name : Presets.NAMES) {
            BenchPlan plan = Presets.preset(name);
            assertThat(plan.name()).isEqualTo(name);
            assertThat(plan.question()).isNotEmpty();
        }
        assertThat(Presets.preset("quick").expectedSeconds()).isLessThan(150);
        assertThat(Presets.preset("thesis").expectedSeconds()).isLessThan(85 * 60);
    }

    @Test
    void theSameSeedGivesTheSameOrderAndEveryRunComesOnce() {
        BenchPlan plan = Presets.preset("thesis");
        List<PlannedRun> order = flat(plan, 7);

        assertThat(flat(plan, 7)).isEqualTo(order);
        assertThat(flat(plan, 8)).isNotEqualTo(order);
        assertThat(order).hasSize(plan.runs()).extracting(PlannedRun::number).isSorted();
        assertThat(order.stream()
                        .map(run -> List.of(run.repeat(), run.network(), run.workload(), run.system()))
                        .distinct())
                .hasSize(plan.runs());
        assertThat(order).extracting(PlannedRun::repeat).isSorted();
    }

    private static List<PlannedRun> flat(BenchPlan plan, long seed) {
        return Schedule.of(plan, seed).values().stream().flatMap(List::stream).toList();
    }
}
