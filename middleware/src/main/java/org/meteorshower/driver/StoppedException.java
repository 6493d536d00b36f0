/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.driver;

/**
 * This node's MeteorShower has stopped: something could not be journaled, or an invariant broke. It announces, stamps
 * and serves nothing any more; the other nodes see it as down. Restarting the node, once the cause is gone, is the
 * cure.
 */
public final class StoppedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    public StoppedException(RuntimeException cause) {
        super(
                "MeteorShower has stopped on this node and serves nothing until the node is restarted: "
                        + cause.getMessage(),
                cause);
    }
}
