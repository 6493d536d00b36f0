/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

/** There is no cluster in the directory that was named. */
public final class NoClusterException extends ClusterException {
    private static final long serialVersionUID = 1L;

    public NoClusterException(String message) {
        super(message);
    }
}
