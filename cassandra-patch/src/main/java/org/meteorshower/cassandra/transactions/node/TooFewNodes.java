/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.locator.AbstractReplicationStrategy;
import org.apache.cassandra.locator.NetworkTopologyStrategy;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.service.StorageService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says where a keyspace of transactions is to have more replicas than a data centre has nodes. Cassandra says only that
 * it cannot achieve a level.
 */
final class TooFewNodes {
    private static final Logger log = LoggerFactory.getLogger(TooFewNodes.class);

    private TooFewNodes() {}

    /**
     * What is wrong and what helps, to be put behind an error, not beginning a sentence; empty where this is not what
     * is wrong.
     */
    static String hint() {
        try {
            return look();
        } catch (RuntimeException e) {
            // It is said behind another failure, which must not be hidden by it.
            log.warn("MeteorShower transactions: could not look for keyspaces with too many replicas", e);
            return "";
        }
    }

    private static String look() {
        Map<String, Integer> nodes = new TreeMap<>();
        StorageService.instance
                .getTokenMetadata()
                .cachedOnlyTokenMap()
                .getTopology()
                .getDatacenterEndpoints()
                .asMap()
                .forEach((dc, endpoints) -> nodes.put(dc, endpoints.size()));
        List<String> hints = new ArrayList<>();
        for (String keyspace : Schema.instance.getUserKeyspaces()) {
            if (keyspace.startsWith(LogKeyspace.PREFIX)) {
                AbstractReplicationStrategy strategy = Keyspace.open(keyspace).getReplicationStrategy();
                if (strategy instanceof NetworkTopologyStrategy placed) {
                    Map<String, Integer> replicas = new TreeMap<>();
                    placed.getDatacenters()
                            .forEach(dc -> replicas.put(dc, placed.getReplicationFactor(dc).allReplicas));
                    String hint = hint(keyspace, replicas, nodes);
                    if (!hint.isEmpty()) {
                        hints.add(hint);
                    }
                }
            }
        }
        return String.join("; ", hints);
    }

    /** @param replicas wanted, by data centre */
    static String hint(String keyspace, Map<String, Integer> replicas, Map<String, Integer> nodes) {
        Map<String, Integer> possible = new TreeMap<>(replicas);
        List<String> lacking = new ArrayList<>();
        replicas.forEach((dc, wanted) -> {
            int has = nodes.getOrDefault(dc, 0);
            if (has < wanted / 2 + 1) {
                possible.put(dc, Math.max(1, has));
                lacking.add(dc + " has " + has + (has == 1 ? " node for " : " nodes for ") + wanted + " replicas");
            }
        });
        if (lacking.isEmpty()) {
            return "";
        }
        StringBuilder cure = new StringBuilder("'class': 'NetworkTopologyStrategy'");
        possible.forEach(
                (dc, count) -> cure.append(", '").append(dc).append("': ").append(count));
        return "keyspace " + keyspace + " is to have more replicas than there are nodes ("
                + String.join(", ", lacking)
                + "), and most of them must be up: start more nodes, or ALTER KEYSPACE " + keyspace
                + " WITH replication = {" + cure + "}, and set transactions.replicas so in meteorshower.yaml";
    }
}
