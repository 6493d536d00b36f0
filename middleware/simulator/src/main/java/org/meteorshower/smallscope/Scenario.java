/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.smallscope;

import java.util.List;
import java.util.Set;
import org.meteorshower.protocol.Settings;
import org.meteorshower.simulator.Bug;

/**
 * What happens in a small world: three replicas, a few sessions with a few operations, so many firings of the nodes'
 * timers, so many faults; in which order is what the search varies.
 *
 * @param name in kebab-case
 * @param meaning in a few words
 * @param sessions the operations of each, in program order
 * @param ticks how often a timer fires once the operations may begin, in all, at any node: its clock moves on then, and
 *     only then
 * @param faults which faults may happen
 * @param mostFaults how many of them at most
 * @param fine which steps within a node other events may come between
 * @param lead whether timestamps lead
 * @param bug a mistake around the core that is made on purpose
 */
public record Scenario(
        String name,
        String meaning,
        List<List<Op>> sessions,
        int ticks,
        Set<Fault> faults,
        int mostFaults,
        Set<Fine> fine,
        boolean lead,
        Bug bug) {
    /** Steps within a node that take time. What is not named happens at once. */
    public enum Fine {
        /** A mutation that is stamped enters the store later. */
        APPLY,
        /** What the rows held is told to the core some time after it was read. */
        HISTORY,
        /** The store is read some time after the cut was offered. */
        READ
    }

    /** Between two firings of a node's timer, on its clock. */
    static final long TICK_MICROS = 10_000;

    public Scenario withBug(Bug mistake) {
        return new Scenario(name, meaning, sessions, ticks, faults, mostFaults, fine, lead, mistake);
    }

    public Scenario withTicks(int firings) {
        return new Scenario(name, meaning, sessions, firings, faults, mostFaults, fine, lead, bug);
    }

    Scenario withLead() {
        return new Scenario(name, meaning, sessions, ticks, faults, mostFaults, fine, true, bug);
    }

    Scenario withFine(Set<Fine> steps) {
        return new Scenario(name, meaning, sessions, ticks, faults, mostFaults, steps, lead, bug);
    }

    Scenario withFaults(int most, Set<Fault> kinds) {
        return new Scenario(name, meaning, sessions, ticks, kinds, most, fine, lead, bug);
    }

    public int operations() {
        return sessions.stream().mapToInt(List::size).sum();
    }

    /** Those of a node, but with limits and times so small that few events reach them. */
    Settings settings() {
        return new Settings(
                TICK_MICROS,
                0,
                0,
                1,
                4,
                4,
                5_000,
                false,
                Settings.DEFAULTS.maxAheadMicros(),
                5_000,
                lead,
                true,
                TICK_MICROS,
                TICK_MICROS,
                3 * TICK_MICROS,
                1_000,
                Settings.DEFAULTS.recordsBytes(),
                100,
                1_000,
                Settings.DEFAULTS.leaseIdleMicros());
    }
}
