/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

/** An operation on a cluster did not succeed. The message names the cause and, where there is one, the cure. */
public class ClusterException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ClusterException(String message) {
        super(message);
    }

    public ClusterException(String message, Throwable cause) {
        super(message, cause);
    }
}
