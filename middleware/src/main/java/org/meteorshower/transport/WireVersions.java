/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

/**
 * The versions of what nodes say to each other that a node speaks, from the oldest to the newest. Two nodes use the
 * newest that both do, anew for each connection: so a cluster can be upgraded node by node as long as neighbouring
 * releases have one in common.
 *
 * <p>1: the first. 2: the time since which a table is tracked is relative to the message's clock, as all other times
 * are ({@link MessageCodec}). 3: its messages are those of 2; of the parcels some kinds are new, which only their
 * senders know. 4: a snapshot says whether something is missing before it, and two messages bring back a node that was
 * left behind (a peer of an earlier version gets a {@code Pull} in their place); of the parcels again some kinds are
 * new. 5: a report of tables says whether its sender has been repaired. 6: and whether it has carried over what it had
 * in flight before a move. 7: a status message says what its sender wishes and promises for strict reads at home, and
 * two messages ask and tell whether a mutation is complete. 8: a report of tables says whether its sender waits for
 * others to leave an earlier name, and leases are for some tables. 9: its messages are those of 8; of the parcels, a
 * blank disk of a data centre is told which other disks were lost before it. 10: its messages are those of 9; of the
 * parcels, a word of progress may say how late the receiver's lane was. 11: its messages are those of 10; of the
 * parcels, a page of a snapshot says what rows were before any transaction. 12: its messages are those of 11; of the
 * parcels, one passes over who leads a lane. 13: its messages are those of 12; a parcel may be one of a group of lanes.
 * 14: a status message says which requests of its receiver's have been carried out.
 *
 * @param oldest at least 1
 * @param newest not below {@code oldest}
 */
public record WireVersions(int oldest, int newest) {
    /** All that this code speaks. */
    public static final WireVersions ALL = new WireVersions(1, 14);

    /** Those that there are and those to come: for what is written in one way for ever. */
    public static final WireVersions ANY = new WireVersions(1, Integer.MAX_VALUE);

    public WireVersions {
        if (oldest < 1 || newest < oldest) {
            throw new IllegalArgumentException("there are no versions " + oldest + " to " + newest);
        }
    }

    /** Those of {@link #ALL} up to {@code newest}: how an earlier release would speak. */
    public static WireVersions upTo(int newest) {
        if (newest < ALL.oldest || newest > ALL.newest) {
            throw new IllegalArgumentException(
                    "version " + newest + " is none of " + ALL + ", which this release of the plugin speaks");
        }
        return new WireVersions(ALL.oldest, newest);
    }

    /** From one on: for what earlier releases do not understand. */
    public static WireVersions since(int oldest) {
        return new WireVersions(oldest, ANY.newest);
    }

    public boolean includes(int version) {
        return oldest <= version && version <= newest;
    }

    /** The newest that both speak. */
    int common(WireVersions theirs) throws RefusedException {
        int common = Math.min(newest, theirs.newest);
        if (common >= oldest && common >= theirs.oldest) {
            return common;
        }
        throw new RefusedException(
                "the other node speaks " + theirs + " of the protocol, and this one " + this
                        + ": install the same plugin on both, or go from one to the other over a release that speaks a version of each");
    }

    @Override
    public String toString() {
        return oldest == newest ? "version " + newest : "versions " + oldest + " to " + newest;
    }
}
