/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import java.io.IOException;
import java.util.List;
import org.apache.cassandra.db.virtual.VirtualTable;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.config.MetricsEndpoint;
import org.meteorshower.cassandra.metrics.MetricSet;
import org.meteorshower.cassandra.metrics.PrometheusEndpoint;
import org.meteorshower.cassandra.metrics.PrometheusText;
import org.meteorshower.cassandra.metrics.Refusals;
import org.meteorshower.cassandra.metrics.RegistryMirror;
import org.meteorshower.cassandra.metrics.TableMetrics;
import org.meteorshower.cassandra.metrics.TransactionMetrics;
import org.meteorshower.cassandra.views.ModesView;
import org.meteorshower.cassandra.views.NodeView;
import org.meteorshower.cassandra.views.ReadsView;
import org.meteorshower.cassandra.views.RefusalsView;
import org.meteorshower.cassandra.views.TransactionOutcomesView;
import org.meteorshower.cassandra.views.WaitingReadsView;
import org.meteorshower.cassandra.views.WritesView;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What one node counts, put together. Immutable; its parts are thread-safe. */
record NodeMetrics(MetricSet set, TableMetrics tables, Refusals refusals, TransactionMetrics transactions) {
    private static final Logger log = LoggerFactory.getLogger(NodeMetrics.class);

    NodeMetrics() {
        this(new MetricSet(new RegistryMirror()));
    }

    private NodeMetrics(MetricSet set) {
        this(set, new Refusals(set));
    }

    private NodeMetrics(MetricSet set, Refusals refusals) {
        this(set, new TableMetrics(set), refusals, new TransactionMetrics(set, refusals));
    }

    /** The virtual tables that show them. */
    List<VirtualTable> views(NodeLook node) {
        return List.of(
                new NodeView(node),
                new ModesView(node),
                new WaitingReadsView(node),
                new ReadsView(set),
                new WritesView(set),
                new TransactionOutcomesView(set),
                new RefusalsView(refusals));
    }

    /**
     * Serves them to Prometheus from now on.
     *
     * @param where null: nowhere
     * @throws ConfigurationException if the address or port cannot be had
     */
    AutoCloseable serve(@Nullable MetricsEndpoint where) {
        if (where == null) {
            return () -> {};
        }
        try {
            PrometheusEndpoint endpoint =
                    new PrometheusEndpoint(where.address(), where.secret(), () -> PrometheusText.of(set));
            log.info("MeteorShower: metrics for Prometheus at http:/{}/metrics", endpoint.address());
            return endpoint;
        } catch (IOException e) {
            throw new ConfigurationException(
                    "MeteorShower: cannot serve metrics at " + where.address() + " (" + e.getMessage()
                            + "): choose another metrics.port or metrics.address in meteorshower.yaml, or leave them out",
                    e);
        }
    }
}
