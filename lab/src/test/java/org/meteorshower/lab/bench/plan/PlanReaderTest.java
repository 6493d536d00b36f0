/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.meteorshower.lab.cluster.CommitLog;

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

    @Test
    void transactionsAreAskedOfWhatRunsThemOnTheCassandraThatItIsFor() {
        BenchPlan plan = PlanReader.read("t.yaml", """
                seconds: 5
                systems: [cassandra-quorum, catenae-snapshot, catenae, accord, lwt]
                networks: [{delay: 50}, {name: six, delay: 50, cassandra: 6.0-alpha2}]
                workloads:
                  - {name: operations, rate: 100}
                  - {name: transfer, rate: 10, transactions: transfer, rows: 100}
                """);

        assertThat(plan.cells(plan.networks().get(0)))
                .extracting(cell -> cell.workload().name() + " " + cell.system().name())
                .containsExactly(
                        "operations cassandra-quorum",
                        "operations catenae-snapshot",
                        "transfer catenae",
                        "transfer lwt");
        assertThat(plan.workloads()).extracting(WorkloadSpec::readShare).containsExactly(0.5, 0.0);
        assertThat(plan.cells(plan.networks().get(1)))
                .extracting(cell -> cell.workload().name() + " " + cell.system().name())
                .containsExactly("transfer accord");
        assertThat(plan.networks().get(1).shape().plugin()).isFalse();
        assertThat(Presets.preset("transactions").runs()).isPositive();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    transactions: transfer, rows: 100 | transactions: transfers, rows: 100 | must be one of transfer, hot_row, ycsb_t, order
                    transactions: transfer, rows: 100 | transactions: order, rows: 20 | an order needs more than 20 rows
                    transactions: transfer, rows: 100 | transactions: transfer, rows: 5 | needs rows in steps of 10
                    cassandra: 6.0-alpha2 | cassandra: 7 | must be 5.0 or 6.0-alpha2, not '7'
                    """)
    void whatIsWrongWithTransactionsIsToldToo(String right, String wrong, String message) {
        String good = """
                seconds: 5
                systems: [accord]
                networks: [{delay: 50, cassandra: 6.0-alpha2}]
                workloads: [{name: t, rate: 10, transactions: transfer, rows: 100}]
                """;
        assertThat(good).contains(right);
        assertThatThrownBy(() -> PlanReader.read("t.yaml", good.replace(right, wrong)))
                .isInstanceOf(PlanException.class)
                .hasMessageContaining(message);
    }

    @Test
    void ordersAreNotAskedOfConditionalBatches() {
        assertThatThrownBy(() -> PlanReader.read("t.yaml", """
                        seconds: 5
                        systems: [catenae, lwt]
                        networks: [{delay: 50}]
                        workloads: [{name: o, rate: 10, transactions: order, rows: 100}]
                        """))
                .isInstanceOf(PlanException.class)
                .hasMessageContaining("give the workload o systems: without lwt");
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
                    delay: 0, systems  | delay: 0, commit-log: never, systems | line 5, networks[1].commit-log: must be one of batch, group, periodic, not 'never'
                    delay: 0, systems  | delay: 0, replicas: 2, systems | line 5, networks[1].replicas: must be a number from 1 to 1 replicas
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

    @Test
    void aClusterThatIsSimulatedHasThreeDataCentresOfOneSize() {
        assertThatThrownBy(() -> PlanReader.read("mine.yaml", "simulated-nodes: [9, 10]\n" + GOOD))
                .hasMessageContaining("line 1, simulated-nodes[1]: must be a multiple of 3");
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
        assertThat(Presets.preset("claims").expectedSeconds()).isLessThan(18 * 60);
        assertThat(Presets.preset("thesis").expectedSeconds()).isLessThan(85 * 60);
        assertThat(Presets.preset("curves").expectedSeconds()).isLessThan(23 * 60);
        assertThat(Presets.preset("leases").expectedSeconds()).isLessThan(18 * 60);
        assertThat(Presets.preset("scale").expectedSeconds()).isLessThan(12 * 60);
        assertThat(Presets.preset("scale").simulatedNodes()).contains(999);
    }

    @Test
    void ofAPlanThatMuchIsLeftWhichIsAskedFor() {
        BenchPlan plan = Presets.preset("thesis");
        BenchPlan left = plan.only(List.of("50 ms", "25 ms"), List.of("uniform 50/50"));
        assertThat(left.networks()).extracting(NetworkSpec::name).containsExactly("25 ms", "50 ms");
        assertThat(left.runs()).isEqualTo(2 * plan.systems().size() * plan.repeats());
        assertThat(plan.only(List.of(), List.of())).isSameAs(plan);
        assertThatThrownBy(() -> plan.only(List.of("51 ms"), List.of()))
                .isInstanceOf(PlanException.class)
                .hasMessage("--network: the plan has nothing called '51 ms'; it has 0 ms, 25 ms, 50 ms, 75 ms, 100 ms,"
                        + " 150 ms, eu-us-asia");
        assertThatThrownBy(() -> plan.only(List.of("25 ms"), List.of("zipfian 50/50")))
                .hasMessageContaining("none of these workloads on these networks");
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

    @Test
    void clustersThatAreUpTogetherTakeTurnsAndOthersComeOneAfterTheOther() {
        String networks = """
                seconds: 5
                repeats: 3
                heat: 40
                systems: [cassandra-quorum]
                networks: [{name: absent, delay: 0, plugin: no}, {name: off, delay: 0}, {name: far, delay: 9}]
                workloads: [{name: all, rate: closed}]
                """;
        List<Schedule.Stage> apart = Schedule.of(PlanReader.read("a.yaml", networks), 1);
        List<Schedule.Stage> together = Schedule.of(PlanReader.read("t.yaml", networks + "together: yes\n"), 1);

        assertThat(apart).extracting(stage -> stage.clusters().size()).containsExactly(1, 1);
        assertThat(together).hasSize(1);
        assertThat(together.get(0).clusters()).hasSize(2);
        assertThat(together.get(0).runs()).extracting(PlannedRun::repeat).containsExactly(1, 1, 1, 2, 2, 2, 3, 3, 3);
        assertThat(PlanReader.read("a.yaml", networks).heatsEachWorkload()).isTrue();
        assertThat(Presets.preset("thesis").heatsEachWorkload()).isFalse();
    }

    @Test
    void theCommitLogIsSyncedAsThePlanSaysAndOnlyThoseThatSyncAlikeAreUpTogether() {
        BenchPlan plan = PlanReader.read("t.yaml", """
                seconds: 5
                together: yes
                systems: [cassandra-quorum, meteorshower]
                networks:
                  - {name: absent, delay: 0, plugin: no, systems: [cassandra-quorum]}
                  - {name: on, delay: 0}
                  - {name: lazy, delay: 0, commit-log: periodic}
                workloads: [{name: all, rate: closed}]
                """);

        assertThat(plan.networks().get(0).shape().commitLog()).isEqualTo(CommitLog.BATCH);
        assertThat(plan.networks().get(2).shape().options("127.0.0.1").cassandraOptions())
                .containsEntry("commitlog_sync", "periodic");
        assertThat(Schedule.of(plan, 1))
                .extracting(stage -> stage.clusters().size())
                .containsExactlyInAnyOrder(2, 1);
        assertThat(Schedule.of(Presets.preset("overhead"), 1))
                .extracting(stage -> stage.clusters().size())
                .containsExactlyInAnyOrder(3, 2, 2);
    }

    private static List<PlannedRun> flat(BenchPlan plan, long seed) {
        return Schedule.of(plan, seed).stream()
                .flatMap(stage -> stage.runs().stream())
                .toList();
    }
}
