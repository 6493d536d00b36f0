/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Effect;

/** What the core has answered to a read so far, and what the store has said. Used by the thread that waits for it. */
final class Reading<T> implements Effect.ReadAnswer.Handler {
    private final LocalReader<T> reader;
    private final Runnable storeRead;
    private MeteorShower.@Nullable ReadOutcome<T> found;
    private Effect.@Nullable ReadFailed failure;
    private boolean isOver;

    /** @param storeRead tells the core that the store was read, and is to be confirmed */
    Reading(LocalReader<T> reader, Runnable storeRead) {
        this.reader = reader;
        this.storeRead = storeRead;
    }

    boolean isOver() {
        return isOver;
    }

    @Override
    public void on(Effect.ReadAt at) {
        found = new MeteorShower.ReadOutcome<>(reader.read(at.info().cutMicros(), at.overlay()), at.info());
        if (at.confirm()) {
            storeRead.run();
        } else {
            isOver = true;
        }
    }

    @Override
    public void on(Effect.ReadConfirmed confirmed) {
        isOver = true;
    }

    @Override
    public void on(Effect.ReadFailed failed) {
        failure = failed;
        isOver = true;
    }

    @Override
    public void on(Effect.ScanLowered lowered) {
        throw new IllegalStateException("an answer to a scan");
    }

    @Override
    public void on(Effect.ScanStirred stirred) {
        throw new IllegalStateException("an answer to a scan");
    }

    MeteorShower.ReadOutcome<T> outcome() throws RequestRefusedException {
        if (failure != null) {
            throw new RequestRefusedException(failure.failure(), failure.detail());
        } else if (found == null) {
            throw new IllegalStateException("confirmed before the store was read");
        }
        return found;
    }
}
