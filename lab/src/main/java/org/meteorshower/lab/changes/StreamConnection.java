/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.changes;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.meteorshower.client.changes.ChangeStream;
import org.meteorshower.lab.arguments.ClusterPlace;
import org.meteorshower.lab.arguments.ContactArguments;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.FrugalDriver;
import org.meteorshower.lab.cluster.LocalCluster;
import org.meteorshower.lab.top.Unreachable;

/**
 * The stream of one data centre, and what has to be closed when it was read.
 *
 * @param stream to be read until then
 * @param closing ends the connection
 */
record StreamConnection(ChangeStream stream, Runnable closing) implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /**
     * Connects to the data centre's nodes: of the cluster that the contact belongs to, or else that of the place.
     * Throws {@link ClusterException} where none answers, and IllegalArgumentException where there is no such data
     * centre.
     *
     * @param dc null: that of the contact, or else the first
     * @param group of data centres, by number; null: that of all, or the only one
     */
    static StreamConnection open(
            ClusterPlace place, ContactArguments contact, @Nullable String dc, @Nullable Integer group) {
        InetSocketAddress address = contact.address();
        CqlSessionBuilder builder = CqlSession.builder();
        String local = dc;
        if (address != null) {
            builder.addContactPoint(address);
        } else {
            LocalCluster cluster = place.attach();
            builder.addContactPoints(cluster.contactPoints());
            local = dc == null ? cluster.nodes().get(0).dc() : dc;
        }
        if (contact.user() != null) {
            builder.withAuthCredentials(contact.user(), contact.password());
        }
        CqlSession session = connect(builder, local);
        try {
            return new StreamConnection(stream(session, local, group), session::close);
        } catch (RuntimeException e) {
            session.close();
            throw e;
        }
    }

    private static CqlSession connect(CqlSessionBuilder builder, @Nullable String local) {
        try {
            return builder.withConfigLoader(config(local)).build();
        } catch (DriverException e) {
            throw new ClusterException(
                    "the cluster does not answer: " + Unreachable.why(e)
                            + ". Name another node with --contact; where passwords are in use, --user and CQL_PASSWORD.",
                    e);
        }
    }

    private static DriverConfigLoader config(@Nullable String local) {
        ProgrammaticDriverConfigLoaderBuilder builder =
                FrugalDriver.settings(PATIENCE).withDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY, PATIENCE);
        if (local == null) {
            builder.withString(DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, "DcInferringLoadBalancingPolicy");
        } else {
            builder.withString(DefaultDriverOption.LOAD_BALANCING_LOCAL_DATACENTER, local);
        }
        return builder.build();
    }

    private static ChangeStream stream(CqlSession session, @Nullable String local, @Nullable Integer group) {
        String dc = local == null ? null : known(session, local);
        if (group != null) {
            return ChangeStream.at(session, dc == null ? ownDataCentre(session) : dc, group);
        }
        return dc == null ? ChangeStream.at(session) : ChangeStream.at(session, dc);
    }

    /** Of the node that answers. */
    private static String ownDataCentre(CqlSession session) {
        return String.valueOf(
                session.execute("SELECT data_center FROM system.local").one().getString("data_center"));
    }

    private static String known(CqlSession session, String dc) {
        Set<String> names = new TreeSet<>();
        session.getMetadata().getNodes().values().forEach(node -> names.add(String.valueOf(node.getDatacenter())));
        if (!names.contains(dc)) {
            throw new IllegalArgumentException(
                    "--dc '" + dc + "' is no data centre of this cluster; there are " + String.join(", ", names));
        }
        return dc;
    }

    @Override
    public void close() {
        closing.run();
    }
}
