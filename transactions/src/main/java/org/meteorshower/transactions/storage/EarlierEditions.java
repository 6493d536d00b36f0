/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.storage;

import org.meteorshower.transactions.port.Checkpoint;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Recovery;
import org.meteorshower.transactions.port.Turn;

/**
 * What is left of the editions before the one in use: nobody reads it. But the users' tables are those of all editions,
 * and after a snapshot they may show rows that were deleted elsewhere, until they have been looked through.
 */
public final class EarlierEditions {
    private final Turn turn;
    private boolean asked;
    private int forgottenBelow;

    public EarlierEditions(Turn turn) {
        this.turn = turn;
    }

    /**
     * An earlier process may not have come to an end with it.
     *
     * @param done the last checkpoint of which the tables, in this edition, hold everything
     */
    public void tick(Checkpoint done, int edition) {
        if (!asked && edition > Recovery.FIRST_EDITION) {
            forget(done, edition);
        }
        asked = true;
    }

    /** A snapshot is in the tables, as this edition. */
    public void forget(Checkpoint done, int edition) {
        asked = true;
        turn.emit(new Effect.ForgetEditions(edition, done.count()));
    }

    /** The store has done it. */
    public void forgotten(int below) {
        forgottenBelow = Math.max(forgottenBelow, below);
    }

    /** Whether the users' tables show nothing that was deleted before this edition. */
    public boolean areForgotten(int edition) {
        return edition <= Recovery.FIRST_EDITION || forgottenBelow >= edition;
    }
}
