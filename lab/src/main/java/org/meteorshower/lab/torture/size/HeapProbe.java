/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.List;
import javax.management.MBeanServerConnection;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** The heap of one process, by the management interface of its JVM, reached by its number. For one thread. */
final class HeapProbe implements AutoCloseable {
    private final long pid;
    private final JMXConnector connector;
    private final MBeanServerConnection server;
    private final MemoryPoolMXBean old;

    /**
     * A look at the heap. Bytes.
     *
     * @param oldUsed of the old generation, garbage among it
     * @param oldAfterCollection what the last full collection left of it; 0 where there was none
     * @param max of the whole heap
     * @param collectionMillis that collections have taken since the start of the process
     */
    record Heap(long used, long oldUsed, long oldAfterCollection, long max, long collectionMillis) {
        /** NaN where there was no full collection. */
        double shareAfterCollection() {
            return oldAfterCollection == 0 ? Double.NaN : (double) oldAfterCollection / max;
        }
    }

    @SuppressWarnings("BanJNDI") // the address is told by the process itself, over a socket of this machine
    HeapProbe(long pid) throws IOException, AttachNotSupportedException {
        this.pid = pid;
        VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
        try {
            connector = JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()));
        } finally {
            machine.detach();
        }
        server = connector.getMBeanServerConnection();
        old = ManagementFactory.getPlatformMXBeans(server, MemoryPoolMXBean.class).stream()
                .filter(pool ->
                        pool.getName().contains("Tenured") || pool.getName().contains("Old"))
                .findFirst()
                .orElseThrow(() -> new IOException("the process has no old generation"));
    }

    long pid() {
        return pid;
    }

    Heap look() throws IOException {
        try {
            MemoryUsage heap = ManagementFactory.getPlatformMXBean(server, MemoryMXBean.class)
                    .getHeapMemoryUsage();
            MemoryUsage after = old.getCollectionUsage();
            List<GarbageCollectorMXBean> collectors =
                    ManagementFactory.getPlatformMXBeans(server, GarbageCollectorMXBean.class);
            return new Heap(
                    heap.getUsed(),
                    old.getUsage().getUsed(),
                    after == null ? 0 : after.getUsed(),
                    heap.getMax(),
                    collectors.stream()
                            .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                            .sum());
        } catch (UndeclaredThrowableException e) {
            throw new IOException("the process is gone", e);
        }
    }

    /** A full collection, now. */
    void collect() throws IOException {
        try {
            ManagementFactory.getPlatformMXBean(server, MemoryMXBean.class).gc();
        } catch (UndeclaredThrowableException e) {
            throw new IOException("the process is gone", e);
        }
    }

    @Override
    public void close() {
        try {
            connector.close();
        } catch (IOException e) {
            // The process is gone.
        }
    }
}
