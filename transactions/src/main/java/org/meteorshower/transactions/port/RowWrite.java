/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.port;

import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;

/**
 * A version of a row to be added to an edition.
 *
 * @param previous the version before it that the edition holds, less than 0 where the row was absent in that; 0 where
 *     it holds none. Kept with the version, for who finds no version below a limit: see {@link StoredRow#unkept}
 * @param base what the row was before any transaction wrote it, to be kept as version 0 before the users' table loses
 *     it, and beyond this edition: the next one may be of an earlier checkpoint than this write; null where it was
 *     absent, or is kept already
 * @param forgetBelow older versions may go, since nobody reads as of them any more
 * @param isNew whether the edition may not tell the row's key yet ({@link Effect.ReadKeys}); false where the row is
 *     absent
 * @param due when the row is to be looked at ({@link Effect.ReadDue}), since something of it ends; {@link #NOT_DUE}
 *     where that need not be noted
 */
public record RowWrite(
        RowKey key, StoredRow row, long previous, @Nullable Row base, long forgetBelow, boolean isNew, long due) {
    public static final long NOT_DUE = 0;

    /** Of a row that need not be looked at later. */
    public RowWrite(RowKey key, StoredRow row, long previous, @Nullable Row base, long forgetBelow, boolean isNew) {
        this(key, row, previous, base, forgetBelow, isNew, NOT_DUE);
    }

    /** Of a row whose key the edition tells if it holds any version of it. */
    public RowWrite(RowKey key, StoredRow row, long previous, @Nullable Row base, long forgetBelow) {
        this(key, row, previous, base, forgetBelow, previous <= 0 && row.row().exists());
    }

    /** The same, to be looked at then. */
    public RowWrite dueAt(long millis) {
        return new RowWrite(key, row, previous, base, forgetBelow, isNew, millis);
    }

    /**
     * Whether the version itself is forgotten with this write: nothing of the row stays in the edition. The users'
     * table has it already.
     */
    public boolean isPurge() {
        return forgetBelow > row.version();
    }
}
