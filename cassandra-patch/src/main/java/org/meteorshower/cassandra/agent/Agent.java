/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.agent;

import java.lang.instrument.Instrumentation;

/**
 * Entry point of {@code -javaagent:lib/meteorshower-cassandra-5.0.jar}.
 *
 * <p>Runs before Cassandra's main class. It either prepares everything or ends the process with one message: a node
 * that ran without the plugin while its tables expect it would be silently weaker than it was declared to be.
 */
public final class Agent {
    private static final String QUERY_HANDLER_PROPERTY = "cassandra.custom_query_handler_class";
    private static final String QUERY_HANDLER = "org.meteorshower.cassandra.cql.MeteorShowerQueryHandler";

    private Agent() {}

    public static void premain(String arguments, Instrumentation instrumentation) {
        ClassLoader loader = ClassLoader.getSystemClassLoader();
        if (loader.getResource("org/apache/cassandra/service/CassandraDaemon.class") == null) {
            // Some other Java program was started with the server's options: leave it alone.
            return;
        }
        try {
            CassandraRelease.read(loader).check();
            claimQueryHandler();
        } catch (RefusedException e) {
            System.err.println("MeteorShower: " + e.getMessage());
            System.exit(3);
        }
        instrumentation.addTransformer(new HookInstaller());
    }

    private static void claimQueryHandler() throws RefusedException {
        String configured = System.getProperty(QUERY_HANDLER_PROPERTY);
        if (configured != null && !configured.equals(QUERY_HANDLER)) {
            throw new RefusedException("-D" + QUERY_HANDLER_PROPERTY + " is set to " + configured
                    + ", and a node can have only one query handler. Remove that option, or remove"
                    + " MeteorShower's -javaagent option.");
        }
        System.setProperty(QUERY_HANDLER_PROPERTY, QUERY_HANDLER);
    }

    /** The plugin cannot run here; the message names cause and cure. */
    static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1L;

        RefusedException(String message) {
            super(message);
        }
    }
}
