/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Effect;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.History;
import org.meteorshower.protocol.Update;

/** A mutation on its way into the store, until the core has said what becomes of it. Used by the thread that brings it. */
final class Entering implements Effect.MutationAnswer.Handler {
    private final Update update;
    private final Store store;
    private @Nullable History history;
    private long version;
    private int attempt;
    private boolean decided;
    private boolean stamped;
    private @Nullable MutationRefusedException refusal;

    Entering(Update update, Store store) {
        this.update = update;
        this.store = store;
    }

    /** What the core is to be told next. */
    Event.Intended intended() {
        return new Event.Intended(update, history, version, attempt);
    }

    boolean isDecided() {
        return decided;
    }

    /**
     * Whether it was stamped just now, and is to be applied: otherwise it was stamped before.
     *
     * @throws MutationRefusedException if it must not be applied
     */
    boolean isStamped() throws MutationRefusedException {
        if (refusal != null) {
            throw refusal;
        }
        return stamped;
    }

    @Override
    public void on(Effect.Stamped answer) {
        decided = true;
        stamped = true;
    }

    @Override
    public void on(Effect.AlreadyApplied known) {
        decided = true;
    }

    /** Again only while other mutations of the same rows come and go meanwhile: the core stamps without history after a few rounds. */
    @Override
    public void on(Effect.NeedHistory needed) {
        history = store.historyFor(update);
        version = needed.asOfVersion();
        attempt++;
    }

    @Override
    public void on(Effect.RefuseMutation refused) {
        decided = true;
        refusal = new MutationRefusedException(update, refused.aheadMicros());
    }

    @Override
    public void on(Effect.NoRoom full) {
        decided = true;
        refusal = new MutationRefusedException(full.why());
    }
}
