/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime.journal;

/** The first byte of an entry's body, and what follows it. */
final class EntryType {
    /** {@link JournalState}: the first entry of every segment. */
    static final byte STATE = 1;
    /** The mutation's number in the journal, appliedMicros, and the encoded update. */
    static final byte APPLIED = 2;
    /** The number of a mutation. */
    static final byte RETIRED = 3;
    /** ceilingMicros. */
    static final byte CEILING = 4;
    /** A {@code TableState}. */
    static final byte TABLE = 5;
    /** The table's id. */
    static final byte TABLE_DROPPED = 6;
    /** The peer's id, and 1 if it is stale from now on, 0 if it is not. */
    static final byte STALE = 7;

    /** type, number, appliedMicros. */
    static final int APPLIED_HEADER_BYTES = 1 + 8 + 8;

    private EntryType() {}
}
