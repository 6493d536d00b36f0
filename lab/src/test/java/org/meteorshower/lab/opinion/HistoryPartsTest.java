/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.opinion;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.meteorshower.checker.History;
import org.meteorshower.checker.Operation;

class HistoryPartsTest {
    private static final History WHOLE = History.builder()
            .add(Operation.write("a", "k", "1", 0, 1, 1))
            .add(Operation.write("a", "k", "2", 2, 3, 2))
            .add(Operation.write("a", "k", null, 4, 5, 3))
            .add(Operation.write("a", "j", null, 6, 7, 3))
            .add(Operation.read("b", "k", "2", 0, 1))
            .add(Operation.read("b", "k", null, 2, 3))
            .add(Operation.read("b", "k", "nobody's", 4, 5))
            .build();

    private static List<Operation> operations(History history) {
        return IntStream.range(0, history.size()).mapToObj(history::get).toList();
    }

    @Test
    void aPartHasTheWritesThatItsReadsMayHaveSeen() {
        assertThat(operations(HistoryParts.closed(WHOLE, List.of(4)))).containsExactly(WHOLE.get(1), WHOLE.get(4));
        assertThat(operations(HistoryParts.closed(WHOLE, List.of(0, 5))))
                .containsExactly(WHOLE.get(0), WHOLE.get(2), WHOLE.get(5));
        assertThat(operations(HistoryParts.closed(WHOLE, List.of(6)))).containsExactly(WHOLE.get(6));
    }

    @Test
    void versionsAreTakenOut() {
        assertThat(operations(HistoryParts.withoutVersions(WHOLE)))
                .hasSize(WHOLE.size())
                .allMatch(operation -> operation.version() == Operation.NO_VERSION);
    }
}
