/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.smallscope;

import static org.meteorshower.smallscope.Op.read;
import static org.meteorshower.smallscope.Op.write;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.meteorshower.simulator.Bug;

/** The small worlds that are searched. */
public final class Scenarios {
    private static final Set<Scenario.Fine> COARSE = EnumSet.noneOf(Scenario.Fine.class);
    private static final Set<Fault> NO_FAULTS = EnumSet.noneOf(Fault.class);

    private Scenarios() {}

    public static List<Scenario> all() {
        return List.of(
                calm(
                        "message-passing",
                        "one session writes two rows; another reads the second, then the first",
                        1,
                        List.of(List.of(one(0, 0, "a"), one(0, 1, "b")), List.of(read(1, 1, 0), read(1, 0, 0)))),
                calm(
                        "store-buffering",
                        "two sessions write a row each, then read the other's",
                        1,
                        List.of(List.of(one(0, 0, "a"), read(0, 1, 0)), List.of(one(1, 1, "b"), read(1, 0, 0)))),
                calm(
                        "opposite-orders",
                        "two sessions write a row each; two others read both, in opposite orders",
                        0,
                        List.of(
                                List.of(one(0, 0, "a")),
                                List.of(one(1, 1, "b")),
                                List.of(read(2, 0, 0), read(2, 1, 0)),
                                List.of(read(0, 1, 0), read(0, 0, 0)))),
                calm(
                        "same-row",
                        "two sessions at two nodes write one row; two others read it twice",
                        0,
                        List.of(
                                List.of(one(0, 0, "a")),
                                List.of(one(1, 0, "b")),
                                List.of(read(2, 0, 0), read(2, 0, 0)),
                                List.of(read(0, 0, 0), read(0, 0, 0)))),
                calm(
                        "columns",
                        "one session writes two columns of a row, another one of them; a third reads the row twice",
                        0,
                        List.of(
                                List.of(write(0, 0, 0, "a").and(1, "a")),
                                List.of(write(1, 0, 1, "b")),
                                List.of(read(2, 0, 0), read(2, 0, 0)))),
                calm(
                        "moving-session",
                        "a session writes, and reads and writes on at other nodes, with its token; another writes the row",
                        0,
                        List.of(
                                List.of(one(0, 0, "a"), read(1, 0, 0), one(2, 0, "c"), read(0, 0, 0)),
                                List.of(one(1, 0, "b")))),
                calm(
                                "lead",
                                "one session writes two rows, with lead; another reads the second, then the first",
                                1,
                                List.of(List.of(one(0, 0, "a"), one(0, 1, "b")), List.of(read(1, 1, 0), read(1, 0, 0))))
                        .withLead(),
                calm(
                                "within-a-node",
                                "two sessions write one row and a third reads it; what a node does with stores takes time",
                                0,
                                List.of(List.of(one(0, 0, "a")), List.of(one(1, 0, "b")), List.of(read(0, 0, 0))))
                        .withFine(EnumSet.allOf(Scenario.Fine.class)),
                calm(
                                "restart",
                                "one session writes; another reads twice, at two nodes; a node dies and starts again",
                                0,
                                List.of(List.of(one(0, 0, "a")), List.of(read(1, 0, 0), read(2, 0, 0))))
                        .withFaults(1, EnumSet.of(Fault.CRASH, Fault.CRASH_AND_RESET)),
                calm(
                                "network",
                                "one session writes a row twice and another reads it twice; one message is lost,"
                                        + " overtaken or repeated, or one connection breaks",
                                1,
                                List.of(List.of(one(0, 0, "a"), one(0, 0, "b")), List.of(read(1, 0, 0), read(1, 0, 0))))
                        .withFaults(1, EnumSet.of(Fault.LOSE, Fault.OVERTAKE, Fault.REPEAT, Fault.RESET)));
    }

    private static Op one(int node, int partition, String value) {
        return write(node, partition, 0, value);
    }

    private static Scenario calm(String name, String meaning, int ticks, List<List<Op>> sessions) {
        return new Scenario(name, meaning, sessions, ticks, NO_FAULTS, 0, COARSE, false, Bug.NONE);
    }

    /** @throws IllegalArgumentException if there is none of this name; the message lists them */
    public static Scenario named(String name) {
        return all().stream()
                .filter(scenario -> scenario.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no scenario is called " + name + "; there are "
                        + String.join(", ", all().stream().map(Scenario::name).toList())));
    }
}
