/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import org.meteorshower.protocol.ReadMode;

/** When other replicas are asked for a read, although this node is one. Thread-safe. */
public interface OthersFirst {
    /** What this node cannot answer for longer, or is not to. */
    boolean atOnce(LocatedRead read, ReadMode mode);

    /** What it may answer at once, and if not, others rather than it. */
    boolean afterAWait(LocatedRead read, ReadMode mode);
}
