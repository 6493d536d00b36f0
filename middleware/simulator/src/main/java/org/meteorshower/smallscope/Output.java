/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.smallscope;

import java.util.SortedMap;
import org.meteorshower.simulator.Cell;

/** What others see of a node's step. Messages and mutations are named by their number in the {@link Pool}. */
sealed interface Output {
    /** Messages of the protocol core leave, together. */
    record Told(int to, int batch) implements Output {}

    /** A mutation leaves, on the database's own path. */
    record Shipped(int to, int parcel) implements Output {}

    record Stamped(int session, long timestampMicros) implements Output {}

    record Written(int session, long tokenMicros) implements Output {}

    record Read(int session, long cutMicros, SortedMap<Integer, Cell> content) implements Output {}

    /** The operation was refused, and has certainly taken no effect. */
    record Refused(int session) implements Output {}

    /** The node has broken a promise, or the core has thrown. */
    record Broken(String what) implements Output {}
}
