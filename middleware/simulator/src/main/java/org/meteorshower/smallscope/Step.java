/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.smallscope;

/** What happens to one node. Messages and mutations are named by their number in the {@link Pool}. */
sealed interface Step {
    /** The node starts for the first time. */
    record Start() implements Step {}

    record Tick() implements Step {}

    record Hear(int from, int batch) implements Step {}

    /** A mutation arrives from a coordinator. */
    record Take(int parcel) implements Step {}

    /** The node goes on with one of the tasks it has begun. */
    record GoOn(int task) implements Step {}

    /** A session begins its next operation here. */
    record Begin(int session, int operation, long tokenMicros) implements Step {}

    /** The node dies, and starts again at once. */
    record Crash() implements Step {}
}
