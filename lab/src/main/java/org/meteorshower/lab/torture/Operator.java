/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import java.util.List;
import org.meteorshower.lab.cluster.NodeSpec;

/**
 * What faults need besides processes and links: what the clients work on, and what a person would do about it. What no
 * fault of a run needs it does not do. For one thread.
 */
interface Operator {
    /** What has to be done for this fault to be possible, and the fault itself, perhaps at another data centre. */
    default List<Fault> steps(Fault fault) {
        return List.of(fault);
    }

    /** What is needed before the fault begins, and is no part of it. */
    default void prepare(Fault fault) {}

    /** Makes a change of the ring, the replication or the tables; returns when all is served again. */
    default void change(Fault fault) {
        throw new UnsupportedOperationException("no fault of this run is a change");
    }

    /** A node has taken the place of another; returns when clients find it and it serves them. */
    void replaced(NodeSpec node);

    /** The name of the node that runs a data centre's transactions. */
    default String runnerOf(String dc) {
        throw new UnsupportedOperationException("no fault of this run strikes who runs transactions");
    }

    /** Takes the table out of MeteorShower's care. */
    default void disable(String dc) {
        throw new UnsupportedOperationException("no fault of this run disables a table");
    }

    /** Gives it back; returns when all data centres serve it again. */
    default void enable(String dc) {
        throw new UnsupportedOperationException("no fault of this run enables a table");
    }

    /** Returns when all data centres serve the table again, of which a node ran without the plugin. */
    default void awaitFilled() {
        throw new UnsupportedOperationException("no fault of this run leaves a node without the plugin");
    }
}
