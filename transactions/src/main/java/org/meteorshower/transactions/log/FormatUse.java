/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.log;

/**
 * What a process says of {@link Formats}: which it knows, and which its data centre's log is in.
 *
 * @param used one of those that are known
 */
public record FormatUse(Formats known, int used) {
    /** Of a process that says nothing. */
    public static final FormatUse UNSAID = new FormatUse(new Formats(Formats.FIRST, Formats.FIRST), Formats.FIRST);

    public FormatUse {
        if (!known.know(used)) {
            throw new IllegalArgumentException("format " + used + " is used, and " + known + " known");
        }
    }

    /**
     * Whether each knows what the other one uses. They need not use the same: the order says from where on another one
     * counts.
     */
    public boolean fits(FormatUse theirs) {
        return known.know(theirs.used) && theirs.known.know(used);
    }

    @Override
    public String toString() {
        return "knows " + known + " and uses " + used;
    }
}
