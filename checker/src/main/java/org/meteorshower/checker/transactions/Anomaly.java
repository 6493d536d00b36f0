/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker.transactions;

/** What can be wrong, with the names that Adya and the Elle checker use. */
public enum Anomaly {
    /** Cycle of writes. */
    G0("a cycle of writes"),
    /** Read of what a failed transaction wrote, or nobody did. */
    G1A("a read of what never happened"),
    /** Read of what a transaction wrote before it went on writing to the same list. */
    G1B("a read of an intermediate state"),
    /** Cycle of writes and reads-from. */
    G1C("a cycle of writes and reads-from"),
    /** Cycle with one anti-dependency. */
    G_SINGLE("a cycle with one read of what was overwritten"),
    /** Cycle with several anti-dependencies. */
    G2("a cycle with several reads of what was overwritten"),
    /** A transaction does not see its own appends. */
    INTERNAL("a transaction contradicts itself"),
    /** Two reads of a list, neither a prefix of the other; or a value in it twice. */
    INCOMPATIBLE_ORDER("reads of a list that no order of its appends explains");

    private final String words;

    Anomaly(String words) {
        this.words = words;
    }

    public String words() {
        return words;
    }
}
