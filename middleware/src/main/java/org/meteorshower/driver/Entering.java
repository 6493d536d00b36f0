/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.driver;

import org.jspecify.annotations.Nullable;
import org.meteorshower.atrest.PartitionsAtRest;
import org.meteorshower.protocol.CoreView;
import org.meteorshower.protocol.Effect;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.History;
import org.meteorshower.protocol.Update;

/**
 * A mutation on its way into the store, until the core has said what becomes of it: it is {@linkplain CoreDriver#offer
 * offered}; as long as nothing is decided, it is {@linkplain #bring brought} what its rows hold, and offered again.
 * That ends: the core stamps without history after a few rounds. Used by one thread at a time.
 */
public final class Entering {
    private final Update update;
    private @Nullable History history;
    private PartitionsAtRest.@Nullable Stillness still;
    private long version;
    private long wantedVersion;
    private int attempt;
    private boolean decided;
    private boolean stamped;
    private @Nullable MutationRefusedException refusal;

    public Entering(Update update) {
        this.update = update;
    }

    public Update update() {
        return update;
    }

    /** What its rows held when it was asked for, or a little later. */
    public void bring(History read) {
        history = read;
        still = null;
        version = wantedVersion;
        attempt++;
    }

    /**
     * The same before anybody asked, which saves being asked.
     *
     * @param since from before the read: it counts if nothing has stirred since
     */
    public void foresee(PartitionsAtRest.Stillness since, History read) {
        history = read;
        still = since;
    }

    /** To be called in the step's turn. */
    void judge(PartitionsAtRest atRest, CoreView core) {
        PartitionsAtRest.Stillness since = still;
        if (since != null) {
            still = null;
            if (atRest.lasts(since)) {
                version = core.versionOf(update.key());
            } else {
                history = null;
            }
        }
    }

    /** How often it was brought what its rows hold. */
    public int attempt() {
        return attempt;
    }

    /** False where it is to be brought what its rows hold. */
    public boolean isDecided() {
        return decided;
    }

    /**
     * Whether it was stamped just now, and is journaled: otherwise it was stamped before. Either way it may be applied.
     *
     * @throws MutationRefusedException if it must not be applied
     */
    public boolean isStamped() throws MutationRefusedException {
        if (refusal != null) {
            throw refusal;
        }
        return stamped;
    }

    Event.Intended intended() {
        return new Event.Intended(update, history, version, attempt);
    }

    void answered(Effect.@Nullable MutationAnswer given) {
        if (given == null) {
            throw new IllegalStateException("no answer to an intended mutation: " + update);
        }
        given.handOver(new Answer());
    }

    void refused(String obstacle) {
        decided = true;
        refusal = new MutationRefusedException(obstacle);
    }

    private final class Answer implements Effect.MutationAnswer.Handler {
        @Override
        public void on(Effect.Stamped given) {
            decided = true;
            stamped = true;
        }

        @Override
        public void on(Effect.AlreadyApplied known) {
            decided = true;
        }

        @Override
        public void on(Effect.NeedHistory needed) {
            wantedVersion = needed.asOfVersion();
        }

        @Override
        public void on(Effect.RefuseMutation refused) {
            decided = true;
            refusal = new MutationRefusedException(update, refused.aheadMicros());
        }

        @Override
        public void on(Effect.NoRoom full) {
            refused(full.why());
        }
    }
}
