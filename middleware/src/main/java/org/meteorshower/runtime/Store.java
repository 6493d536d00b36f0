/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

import org.meteorshower.protocol.History;
import org.meteorshower.protocol.Update;

/**
 * The local store as the middleware needs it. Thread-safe.
 *
 * <p>The store promises to offer every mutation to {@link MeteorShower#beforeApply} before it applies it, whichever way
 * it came, and to report to {@link MeteorShower#afterApply} when reads see it.
 */
public interface Store {
    /** What the rows that this update touches hold now. Called on the thread that is about to apply the update. */
    History historyFor(Update update);

    /**
     * Applies an update as if it had arrived from outside, later and on another thread. Must not block. An update that
     * cannot be applied is dropped: it is offered again.
     */
    void apply(Update update);
}
