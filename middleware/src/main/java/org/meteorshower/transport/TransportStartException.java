/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

import java.net.InetSocketAddress;

/** The transport cannot listen. */
public final class TransportStartException extends Exception {
    private static final long serialVersionUID = 1L;

    TransportStartException(InetSocketAddress listen, Throwable cause) {
        super(
                "cannot listen on " + listen.getHostString() + " port " + listen.getPort() + ": " + cause.getMessage()
                        + ". Free the port, or choose another with the option " + TransportOptions.PORT_OPTION
                        + " on all nodes",
                cause);
    }
}
