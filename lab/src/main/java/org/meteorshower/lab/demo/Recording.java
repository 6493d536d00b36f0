/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.meteorshower.checker.History;
import org.meteorshower.checker.HistoryBuilder;
import org.meteorshower.checker.Operation;

/**
 * All that sessions wrote down, once they are done. Immutable.
 *
 * @param served the sessions of MeteorShower, those that filled the tables included
 * @param plain the sessions of each mode of plain Cassandra, likewise
 */
record Recording(List<SessionLog> served, Map<Mode, List<SessionLog>> plain) {
    static Recording of(Map<Mode, List<SessionLog>> loads, List<Participant> participants, List<Mode> modes) {
        Stream<SessionLog> loaded = loads.entrySet().stream()
                .filter(load -> load.getKey().isServed())
                .flatMap(load -> load.getValue().stream());
        Map<Mode, List<SessionLog>> plain = new EnumMap<>(Mode.class);
        for (Mode mode : modes) {
            if (!mode.isServed()) {
                plain.put(
                        mode,
                        Stream.concat(
                                        loads.getOrDefault(mode, List.of()).stream(),
                                        participants.stream().map(p -> p.log(mode)))
                                .toList());
            }
        }
        return new Recording(
                Stream.concat(loaded, participants.stream().map(p -> p.log(Mode.SEQUENTIAL)))
                        .toList(),
                plain);
    }

    /** What MeteorShower's sessions did. */
    History servedHistory() {
        return history(served, op -> true);
    }

    /** Of these, only the operations on this mode's table. */
    History servedHistory(Mode mode) {
        String table = mode.table() + "/";
        return history(served, op -> op.key().startsWith(table));
    }

    History plainHistory(Mode mode) {
        return history(plain.getOrDefault(mode, List.of()), op -> true);
    }

    private static History history(List<SessionLog> logs, Predicate<Operation> which) {
        HistoryBuilder builder = History.builder();
        logs.stream().flatMap(log -> log.operations().stream()).filter(which).forEach(builder::add);
        return builder.build();
    }
}
