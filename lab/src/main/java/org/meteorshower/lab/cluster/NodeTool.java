/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.Notification;
import javax.management.NotificationListener;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.jspecify.annotations.Nullable;

/**
 * A node's management interface, as nodetool uses it; reached by the process's number, since no port is open for it.
 * Every method throws {@link ClusterException} with what the node said where it refuses. For one thread.
 */
public final class NodeTool implements AutoCloseable {
    private final String node;
    private final JMXConnector connector;
    private final MBeanServerConnection server;
    private final ObjectName storageService;

    private NodeTool(String node, JMXConnector connector) throws IOException, JMException {
        this.node = node;
        this.connector = connector;
        this.server = connector.getMBeanServerConnection();
        this.storageService = new ObjectName("org.apache.cassandra.db:type=StorageService");
    }

    /** Of a node that runs. */
    @SuppressWarnings("BanJNDI") // the address is told by the node's process itself, over a socket of this machine
    public static NodeTool of(LocalCluster cluster, String node) {
        try {
            VirtualMachine machine = VirtualMachine.attach(Long.toString(cluster.pid(node)));
            try {
                return new NodeTool(
                        node, JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent())));
            } finally {
                machine.detach();
            }
        } catch (IOException | JMException | AttachNotSupportedException e) {
            throw new ClusterException(
                    "the management interface of " + node + " cannot be reached: " + e.getMessage(), e);
        }
    }

    /** {@code nodetool repair --full}: returns when it has succeeded. No table named: all of the keyspace. */
    public void repair(String keyspace, List<String> tables, Duration limit) {
        Map<String, String> options =
                new HashMap<>(Map.of("parallelism", "parallel", "primaryRange", "false", "incremental", "false"));
        if (!tables.isEmpty()) {
            options.put("columnFamilies", String.join(",", tables));
        }
        String what = "nodetool repair --full " + keyspace;
        RepairListener listener = new RepairListener();
        call(what, () -> {
            server.addNotificationListener(storageService, listener, null, null);
            try {
                Object number =
                        server.invoke(storageService, "repairAsync", new Object[] {keyspace, options}, new String[] {
                            String.class.getName(), Map.class.getName()
                        });
                // 0: there is nothing to repair, since nobody else holds any of it.
                if (!Integer.valueOf(0).equals(number)) {
                    listener.await(what + " at " + node, limit);
                }
                return null;
            } finally {
                server.removeNotificationListener(storageService, listener);
            }
        });
    }

    /** Hears how a repair goes. */
    private static final class RepairListener implements NotificationListener {
        // The types of ProgressEvent that matter here, by their ordinal numbers.
        private static final int SUCCESS = 4;
        private static final int COMPLETE = 5;

        private final CountDownLatch ended = new CountDownLatch(1);
        private final AtomicBoolean succeeded = new AtomicBoolean();
        private final Queue<String> said = new ConcurrentLinkedQueue<>();

        @Override
        public void handleNotification(Notification notification, @Nullable Object handback) {
            said.add(String.valueOf(notification.getMessage()));
            if (notification.getUserData() instanceof Map<?, ?> event && event.get("type") instanceof Integer type) {
                if (type == SUCCESS) {
                    succeeded.set(true);
                } else if (type == COMPLETE) {
                    ended.countDown();
                }
            }
        }

        void await(String what, Duration limit) throws InterruptedException {
            if (!ended.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new ClusterException(what + " has not ended after " + limit.toSeconds() + " s: " + said);
            }
            if (!succeeded.get()) {
                throw new ClusterException(what + " failed: " + said);
            }
        }
    }

    /** {@code nodetool decommission --force}: returns when the node has left the ring. It runs on, of no use. */
    public void decommission() {
        call(
                "nodetool decommission",
                () -> server.invoke(
                        storageService, "decommission", new Object[] {true}, new String[] {boolean.class.getName()}));
    }

    /** {@code nodetool removenode}: takes a dead node out; returns when the others hold what was its. */
    public void removeNode(String hostId) {
        call(
                "nodetool removenode " + hostId,
                () -> server.invoke(
                        storageService, "removeNode", new Object[] {hostId}, new String[] {String.class.getName()}));
    }

    /** {@code nodetool cleanup}: drops what is not this node's any more. */
    public void cleanup(String keyspace) {
        call(
                "nodetool cleanup " + keyspace,
                () -> server.invoke(
                        storageService, "forceKeyspaceCleanup", new Object[] {keyspace, new String[0]}, new String[] {
                            String.class.getName(), String[].class.getName()
                        }));
    }

    /** The host ids of all nodes that this one knows, by address. */
    public Map<String, String> hostIds() {
        Map<String, String> found = new HashMap<>();
        if (call("nodetool status", () -> server.getAttribute(storageService, "EndpointToHostId"))
                instanceof Map<?, ?> ids) {
            ids.forEach((address, id) -> found.put(String.valueOf(address), String.valueOf(id)));
        }
        return found;
    }

    /** The addresses of the nodes that this one believes to be dead. */
    public Set<String> unreachable() {
        Set<String> found = new HashSet<>();
        if (call("nodetool status", () -> server.getAttribute(storageService, "UnreachableNodes"))
                instanceof List<?> addresses) {
            addresses.forEach(address -> found.add(String.valueOf(address)));
        }
        return found;
    }

    private interface Call {
        @Nullable
        Object call() throws IOException, JMException, InterruptedException;
    }

    private @Nullable Object call(String what, Call call) {
        try {
            return call.call();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClusterException("interrupted during " + what, e);
        } catch (RuntimeMBeanException e) {
            throw refused(what, e.getTargetException());
        } catch (IOException | JMException e) {
            throw refused(what, e.getCause() == null ? e : e.getCause());
        }
    }

    private ClusterException refused(String what, Throwable cause) {
        return new ClusterException(node + " refuses " + what + ": " + cause.getMessage(), cause);
    }

    @Override
    public void close() {
        try {
            connector.close();
        } catch (IOException e) {
            // The node has ended meanwhile, and the connection with it.
        }
    }
}
