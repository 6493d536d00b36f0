/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.top;

import java.net.InetSocketAddress;

/** A node to ask: its name for people, and where it answers CQL. */
record Target(String name, String dc, InetSocketAddress address) {
    String place() {
        return address.getHostString() + ":" + address.getPort();
    }
}
