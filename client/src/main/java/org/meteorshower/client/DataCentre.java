/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * One data centre as the driver sees it: a CqlSession whose load balancing prefers its nodes. Thread-safe; shared by
 * all sessions of a builder.
 */
final class DataCentre {

    private final String name;
    private final CqlSession cql;

    /**
     * Statements of other data centres, prepared here too, by id. Held because the driver forgets how to prepare what
     * nobody holds. As many as the application prepares.
     */
    private final Map<ByteBuffer, PreparedStatement> prepared = new ConcurrentHashMap<>();

    DataCentre(String name, CqlSession cql) {
        if (cql.getContext().getProtocolVersion().getCode() < 4) {
            throw new IllegalArgumentException("The CqlSession of data centre " + name + " speaks native protocol "
                    + cql.getContext().getProtocolVersion()
                    + ", which carries no custom payload: remove advanced.protocol.version or set it to V4 or later");
        }
        this.name = name;
        this.cql = cql;
    }

    /** Named after the data centre of the nodes that the driver considers local. */
    static DataCentre of(CqlSession cql) {
        String name = cql.getMetadata().getNodes().values().stream()
                .filter(node -> node.getDistance() == NodeDistance.LOCAL && node.getDatacenter() != null)
                .map(node -> String.valueOf(node.getDatacenter()))
                .findFirst()
                .orElse("local");
        return new DataCentre(name, cql);
    }

    String name() {
        return name;
    }

    CqlSession cql() {
        return cql;
    }

    /** The profile that the statement's settings fall back on. */
    DriverExecutionProfile profile(Statement<?> statement) {
        DriverExecutionProfile profile = statement.getExecutionProfile();
        if (profile != null) {
            return profile;
        }
        String profileName = statement.getExecutionProfileName();
        return profileName == null || profileName.isEmpty()
                ? cql.getContext().getConfig().getDefaultProfile()
                : cql.getContext().getConfig().getProfile(profileName);
    }

    /** The coordinators to try, best first, as the driver's load balancing policy ranks them. */
    Queue<Node> plan(Statement<?> statement) {
        Node chosen = statement.getNode();
        return chosen != null
                ? new ArrayDeque<>(List.of(chosen))
                : cql.getContext()
                        .getLoadBalancingPolicy(profile(statement).getName())
                        .newQueryPlan(statement, cql);
    }

    /**
     * Makes sure that this CqlSession knows a statement that was prepared through the one of another data centre. Null
     * if there is nothing to wait for.
     */
    @Nullable
    CompletionStage<?> prepareElsewherePrepared(Statement<?> statement) {
        if (statement instanceof BoundStatement bound) {
            return prepare(bound.getPreparedStatement());
        }
        CompletableFuture<?> all = null;
        if (statement instanceof BatchStatement batch) {
            for (Statement<?> child : batch) {
                CompletionStage<?> one = prepareElsewherePrepared(child);
                if (one != null) {
                    CompletableFuture<?> next = one.toCompletableFuture();
                    all = all == null ? next : CompletableFuture.allOf(all, next);
                }
            }
        }
        return all;
    }

    private @Nullable CompletionStage<?> prepare(PreparedStatement statement) {
        ByteBuffer id = statement.getId();
        if (prepared.containsKey(id)) {
            return null;
        }
        return cql.prepareAsync(statement.getQuery()).thenAccept(here -> {
            if (!here.getId().equals(id)) {
                throw new IllegalStateException("Data centre " + name + " prepares \"" + statement.getQuery()
                        + "\" under another id: name the keyspace in the query, so that it means the same everywhere");
            }
            prepared.put(id, here);
        });
    }

    @Override
    public String toString() {
        return name;
    }
}
