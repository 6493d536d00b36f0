/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.smallscope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.meteorshower.simulator.Bug;

class SearchTest {
    private static SearchResult search(String scenario, int ticks, Bug bug, Bound bound) {
        return new Search(Scenarios.named(scenario).withTicks(ticks).withBug(bug), bound).run(figures -> {});
    }

    /** The slice of the gate; docs/SIMULATION.md has the sizes of what was searched once. */
    @ParameterizedTest(name = "{0}, {1} firings of timers, {2} events")
    @CsvSource({
        "message-passing, 0, 1000, true",
        "store-buffering, 0, 1000, true",
        "columns, 0, 10, false",
        "moving-session, 0, 11, false",
        "lead, 0, 1000, true",
        "restart, 0, 8, false",
        "network, 0, 9, false",
        "within-a-node, 0, 9, false"
    })
    void noOrderOfEventsIsWrong(String scenario, int ticks, int depth, boolean whole) {
        SearchResult result = search(scenario, ticks, Bug.NONE, Bound.NONE.withDepth(depth));
        System.out.println(scenario + ": " + result.figures());
        assertThat(result.complaint()).isNull();
        assertThat(result.figures().isWhole()).isEqualTo(whole);
        assertThat(result.figures().states()).isGreaterThan(100);
    }

    @Test
    void everyReadAndWriteIsAnsweredWhereNothingIsLost() {
        SearchFigures figures =
                search("message-passing", 0, Bug.NONE, Bound.NONE).figures();
        assertThat(figures.endStates()).isPositive().isEqualTo(figures.endStatesWithAllAnswered());
    }

    @Test
    void theSameSearchFindsTheSameNumbers() {
        assertThat(search("store-buffering", 0, Bug.NONE, Bound.NONE).figures())
                .isEqualTo(search("store-buffering", 0, Bug.NONE, Bound.NONE).figures());
    }

    @Test
    void fewerDeparturesReachFewerStatesAndStillTheEnd() {
        SearchFigures plain = search("store-buffering", 0, Bug.NONE, Bound.NONE.withDepartures(0))
                .figures();
        SearchFigures two = search("store-buffering", 0, Bug.NONE, Bound.NONE.withDepartures(2))
                .figures();
        assertThat(plain.schedules()).isEqualTo(1);
        assertThat(plain.isWhole()).isTrue();
        assertThat(two.schedules()).isGreaterThan(plain.schedules());
        assertThat(two.isWhole()).isTrue();
    }

    @ParameterizedTest(name = "{0} is found in {1}")
    @CsvSource({
        "READ_WITHOUT_TOKEN, moving-session",
        "WRITE_TOKEN_DROPPED, moving-session",
        "JOURNAL_LOST, restart",
        "CEILING_LOST, restart"
    })
    void mistakesAreFound(Bug bug, String scenario) {
        Scenario broken = Scenarios.named(scenario).withTicks(0).withBug(bug);
        SearchResult result = new Search(broken, Bound.NONE).run(figures -> {});
        assertThat(result.complaint()).isNotNull();
        List<String> lines = new ArrayList<>();
        assertThat(new Retelling(broken, lines::add).of(result.schedule()))
                .as("the schedule, told again")
                .isEqualTo(result.complaint());
        assertThat(lines).hasSizeGreaterThan(result.schedule().size());
    }

    @Test
    void aScheduleOfSomethingElseIsRefused() {
        assertThatThrownBy(() -> SmallScope.retell("restart", "NONE", null, "h01", line -> {}))
                .hasMessageContaining("cannot happen there");
        assertThatThrownBy(() -> SmallScope.retell("restart", "NONE", null, "hello", line -> {}))
                .hasMessageContaining("is no move");
        assertThatThrownBy(() -> SmallScope.retell("no-such", "NONE", null, "h01", line -> {}))
                .hasMessageContaining("message-passing");
    }
}
