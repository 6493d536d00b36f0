/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

/**
 * How a node is at this moment.
 *
 * @param spec the node
 * @param state what its process does
 * @param pid its process, 0 where there is none
 * @param residentBytes memory of the process in RAM
 */
public record NodeStatus(NodeSpec spec, State state, long pid, long residentBytes) {
    /** What a node's process does. */
    public enum State {
        /** Runs and answers CQL. */
        UP,
        /** Runs, but does not answer CQL: still starting, or in trouble. */
        SILENT,
        /** Stopped by pause. */
        PAUSED,
        /** No process. */
        DOWN
    }

    static NodeStatus of(ClusterState.NodeEntry entry) {
        NodeProcess process = entry.running().orElse(null);
        if (process == null) {
            return new NodeStatus(entry.spec(), State.DOWN, 0, 0);
        }
        State state = process.isPaused()
                ? State.PAUSED
                : CqlProbe.answers(entry.spec().address(), 1000) ? State.UP : State.SILENT;
        return new NodeStatus(entry.spec(), state, process.pid(), process.residentBytes());
    }
}
