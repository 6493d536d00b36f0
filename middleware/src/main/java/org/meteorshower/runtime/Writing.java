/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Effect;

/** What the core has answered to a client's write so far. Used by the thread that waits for it. */
final class Writing implements Effect.WriteAnswer.Handler {
    /** In place of a token: what became of the write is not known. */
    static final long UNKNOWN = -1;

    private Effect.@Nullable WriteStamped stamped;
    private Effect.@Nullable WriteRefused refused;
    private long tokenMicros = UNKNOWN;

    /**
     * @throws RequestRefusedException if the write was refused
     * @throws IllegalStateException if there was no answer yet
     */
    long timestampMicros() throws RequestRefusedException {
        if (refused != null) {
            throw new RequestRefusedException(refused.failure(), refused.detail());
        } else if (stamped == null) {
            throw new IllegalStateException("no answer to a write");
        }
        return stamped.timestampMicros();
    }

    /** The session's new token, or {@link #UNKNOWN}. */
    long tokenMicros() {
        return tokenMicros;
    }

    @Override
    public void on(Effect.WriteStamped answer) {
        stamped = answer;
    }

    @Override
    public void on(Effect.WriteRefused answer) {
        refused = answer;
    }

    @Override
    public void on(Effect.WriteDone done) {
        tokenMicros = done.tokenMicros();
    }

    @Override
    public void on(Effect.WriteLost lost) {
        tokenMicros = UNKNOWN;
    }
}
