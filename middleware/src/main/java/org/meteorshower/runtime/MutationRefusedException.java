/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

import org.meteorshower.protocol.Update;

/** A mutation's timestamp is so far ahead of the clock that accepting it would drag every clock along. */
public final class MutationRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    public MutationRefusedException(Update update, long aheadMicros) {
        super("the mutation of " + update.key() + " carries a timestamp " + aheadMicros / 1_000
                + " ms ahead of this node's clock; check the clocks, or the client that chose the timestamp");
    }
}
