/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Makes sure, before anything is started, that every address a cluster needs exists and is free. */
final class PortCheck {
    private PortCheck() {}

    static void requireFree(List<NodeSpec> nodes, boolean plugin) {
        List<Integer> ports = new ArrayList<>(List.of(NodeSpec.STORAGE_PORT, NodeSpec.CQL_PORT));
        if (plugin) {
            ports.add(NodeSpec.TRANSPORT_PORT);
        }
        for (NodeSpec node : nodes) {
            for (int port : ports) {
                requireFree(node, port);
            }
        }
    }

    private static void requireFree(NodeSpec node, int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(node.address(), port));
        } catch (BindException e) {
            String at = node.address() + ":" + port;
            String reason = String.valueOf(e.getMessage());
            if (reason.contains("assign")) {
                throw new ClusterException(
                        "this machine has no address " + node.address() + ", which " + node.name()
                                + " needs. On macOS add it: sudo ifconfig lo0 alias " + node.address(),
                        e);
            }
            throw new ClusterException(
                    at + ", which " + node.name() + " needs, is taken: another cluster or a Cassandra?"
                            + "\nSee who has it: ss -ltnp 'sport = :" + port + "'"
                            + "\nStop it, or start this cluster elsewhere: --first-address 127.0.1.1",
                    e);
        } catch (IOException e) {
            throw new ClusterException("cannot listen on " + node.address() + ":" + port + ": " + e.getMessage(), e);
        }
    }
}
