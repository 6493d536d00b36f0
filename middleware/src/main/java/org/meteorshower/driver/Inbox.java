/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.driver;

/**
 * Where the answers to one request go. Must not block.
 *
 * @param <A> answers of its kind of request
 */
public interface Inbox<A> {
    /** Called within a step: what it leads to is done after it. */
    void put(A answer);

    /** The node has stopped: nothing more will come. */
    void stop(RuntimeException cause);
}
