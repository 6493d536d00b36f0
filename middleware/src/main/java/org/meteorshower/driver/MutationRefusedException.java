/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.driver;

import org.meteorshower.protocol.Update;

/**
 * A mutation must not be applied at this node: its timestamp is so far ahead of the clock that accepting it would drag
 * every clock along; or, for now, the journal has no room for it, and then whoever sent it may offer it again.
 */
public final class MutationRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean forNow;

    public MutationRefusedException(Update update, long aheadMicros) {
        super("the mutation of " + update.key() + " carries a timestamp " + aheadMicros / 1_000
                + " ms ahead of this node's clock; check the clocks, or the client that chose the timestamp");
        this.forNow = false;
    }

    /** @param obstacle what the journal says ({@link JournalWriter#obstacle(Update)}) */
    MutationRefusedException(String obstacle) {
        super(obstacle);
        this.forNow = true;
    }

    /** Whether the same mutation may be taken later. */
    public boolean isForNow() {
        return forNow;
    }
}
