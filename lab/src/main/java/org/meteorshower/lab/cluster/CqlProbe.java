/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/** Asks a node whether it serves CQL, with one OPTIONS request of the native protocol: cheaper than a driver. */
final class CqlProbe {
    private static final byte[] OPTIONS_REQUEST = {0x04, 0x00, 0x00, 0x00, 0x05, 0x00, 0x00, 0x00, 0x00};
    private static final int SUPPORTED = 0x06;

    private CqlProbe() {}

    static boolean answers(String address, int timeoutMillis) {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(timeoutMillis);
            socket.connect(new InetSocketAddress(address, NodeSpec.CQL_PORT), timeoutMillis);
            socket.getOutputStream().write(OPTIONS_REQUEST);
            DataInputStream in = new DataInputStream(socket.getInputStream());
            byte[] header = in.readNBytes(9);
            return header.length == 9 && header[4] == SUPPORTED;
        } catch (IOException e) {
            return false;
        }
    }
}
