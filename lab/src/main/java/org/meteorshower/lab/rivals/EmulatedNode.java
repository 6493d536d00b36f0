/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.rivals;

import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Objects;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.meteorshower.wan.Traffic;
import org.meteorshower.wan.WanEmulator;
import org.meteorshower.wan.WanFile;

/**
 * The main class of a Cassandra 6 node in a lab: Cassandra, whose messages to other data centres leave when the
 * emulated network lets them. It is the emulator and the place, the outbound sink, of the plugin's own emulation on
 * Cassandra 5.0, so what runs on both is delayed by the same means. By reflection: Cassandra 6 is no dependency of
 * ours.
 *
 * <p>Delays hold from when the node serves its clients.
 */
public final class EmulatedNode {
    /** The network's file. */
    static final String WAN_FILE = "meteor.wan.file";

    private static final String PACKAGE = "org.apache.cassandra.";
    private static final long GLANCE_MILLIS = 20;

    private EmulatedNode() {}

    /** Arguments: Cassandra's. */
    public static void main(String[] args) throws ReflectiveOperationException {
        Thread thread = new Thread(EmulatedNode::emulate, "emulated-wan");
        thread.setDaemon(true);
        thread.start();
        Class.forName(PACKAGE + "service.CassandraDaemon")
                .getMethod("main", String[].class)
                .invoke(null, (Object) args);
    }

    /** A node without its distance would make every figure wrong: it ends rather. */
    private static void emulate() {
        try {
            awaitServing();
            WanEmulator emulator = new WanEmulator(new SecureRandom(), WanEmulator.DEFAULT_MAX_PENDING);
            hold(emulator);
            // Follows the file for as long as the process lives.
            new WanFile(Path.of(Objects.requireNonNull(System.getProperty(WAN_FILE), WAN_FILE)), emulator::apply);
        } catch (ReflectiveOperationException | JMException | InterruptedException | RuntimeException e) {
            System.err.println("the wide-area network cannot be emulated: " + e);
            Runtime.getRuntime().halt(1);
        }
    }

    /** By its management beans: to ask its classes would initialise them too soon. */
    private static void awaitServing() throws JMException, InterruptedException {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        ObjectName service = new ObjectName(PACKAGE + "db:type=StorageService");
        while (!beans.isRegistered(service)
                || !Boolean.TRUE.equals(beans.getAttribute(service, "NativeTransportRunning"))) {
            Thread.sleep(GLANCE_MILLIS);
        }
    }

    private static void hold(WanEmulator emulator) throws ReflectiveOperationException {
        Class<?> filterType = Class.forName(PACKAGE + "net.OutboundSink$AsyncFilter");
        Class<?> sinkType = Class.forName(PACKAGE + "net.OutboundSink$Sink");
        Class<?> descriptor = Class.forName(PACKAGE + "config.DatabaseDescriptor");
        Object locator = descriptor.getMethod("getLocator").invoke(null);
        String here = (String) descriptor.getMethod("getLocalDataCenter").invoke(null);
        Method location =
                locator.getClass().getMethod("location", Class.forName(PACKAGE + "locator.InetAddressAndPort"));
        Method accept = Arrays.stream(sinkType.getMethods())
                .filter(method -> method.getName().equals("accept"))
                .findFirst()
                .orElseThrow();
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (!method.getName().equals("filter")) {
                return method.getName().equals("hashCode") ? System.identityHashCode(proxy) : proxy == arguments[0];
            }
            Object message = arguments[0];
            Object to = arguments[1];
            Object there = location.invoke(locator, to);
            String datacenter = (String) there.getClass().getField("datacenter").get(there);
            emulator.submit(
                    here,
                    datacenter,
                    Traffic.STREAM,
                    () -> pass(accept, arguments[3], message, to, arguments[2]),
                    () -> {});
            return null;
        };
        Object filter =
                Proxy.newProxyInstance(EmulatedNode.class.getClassLoader(), new Class<?>[] {filterType}, handler);
        Object messaging = Class.forName(PACKAGE + "net.MessagingService")
                .getMethod("instance")
                .invoke(null);
        Object sink = messaging.getClass().getField("outboundSink").get(messaging);
        sink.getClass().getMethod("add", filterType).invoke(sink, filter);
    }

    private static void pass(Method accept, Object sink, Object message, Object to, Object connection) {
        try {
            accept.invoke(sink, message, to, connection);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("a message could not be sent", e);
        }
    }
}
