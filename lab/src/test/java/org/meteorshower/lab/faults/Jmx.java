/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.NotificationListener;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * A node's management interface, as nodetool uses it; reached by the process's number, since no port is open for it.
 */
final class Jmx implements AutoCloseable {
    private final JMXConnector connector;
    private final MBeanServerConnection server;
    private final ObjectName storageService;

    private Jmx(JMXConnector connector) throws IOException, JMException {
        this.connector = connector;
        this.server = connector.getMBeanServerConnection();
        this.storageService = new ObjectName("org.apache.cassandra.db:type=StorageService");
    }

    @SuppressWarnings("BanJNDI") // the address is told by the node's process itself, over a socket of this machine
    static Jmx of(TestCluster cluster, String node) throws IOException, JMException, AttachNotSupportedException {
        VirtualMachine machine =
                VirtualMachine.attach(Long.toString(cluster.nodes().pid(node)));
        try {
            return new Jmx(JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent())));
        } finally {
            machine.detach();
        }
    }

    /** {@code nodetool repair -full}: waits until it has ended, and fails where it did. */
    void repair(String keyspace, String table) throws IOException, JMException, InterruptedException {
        Map<String, String> options = Map.of(
                "parallelism", "parallel", "primaryRange", "false", "incremental", "false", "columnFamilies", table);
        // The types of ProgressEvent that matter here, by their ordinal numbers.
        int success = 4;
        int complete = 5;
        CountDownLatch ended = new CountDownLatch(1);
        AtomicBoolean succeeded = new AtomicBoolean();
        Queue<String> said = new ConcurrentLinkedQueue<>();
        NotificationListener listener = (notification, handback) -> {
            said.add(String.valueOf(notification.getMessage()));
            if (notification.getUserData() instanceof Map<?, ?> event && event.get("type") instanceof Integer type) {
                if (type == success) {
                    succeeded.set(true);
                } else if (type == complete) {
                    ended.countDown();
                }
            }
        };
        server.addNotificationListener(storageService, listener, null, null);
        try {
            server.invoke(storageService, "repairAsync", new Object[] {keyspace, options}, new String[] {
                String.class.getName(), Map.class.getName()
            });
            assertThat(ended.await(180, TimeUnit.SECONDS))
                    .as("the repair ends: %s", said)
                    .isTrue();
        } finally {
            server.removeNotificationListener(storageService, listener);
        }
        assertThat(succeeded).as("the repair succeeds: %s", said).isTrue();
    }

    /** {@code nodetool decommission}: waits until the node has left the ring. */
    void decommission() throws IOException, JMException {
        server.invoke(storageService, "decommission", new Object[] {true}, new String[] {boolean.class.getName()});
    }

    @Override
    public void close() throws IOException {
        connector.close();
    }
}
