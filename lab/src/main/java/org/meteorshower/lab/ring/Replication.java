/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.ring;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How often a keyspace wants each of its partitions. Immutable.
 *
 * @param strategy the simple name of its class
 * @param replicas in each data centre; of a strategy that knows none, in all of them under an empty name
 */
public record Replication(String keyspace, String strategy, Map<String, Integer> replicas) {
    private static final String BY_DATA_CENTRE = "NetworkTopologyStrategy";
    private static final String FACTOR = "replication_factor";

    public Replication {
        replicas = new TreeMap<>(replicas);
    }

    /** As {@code system_schema.keyspaces} has it. */
    static Replication of(String keyspace, Map<String, String> stored) {
        String strategy = String.valueOf(stored.get("class"));
        Map<String, Integer> replicas = new TreeMap<>();
        stored.forEach((name, value) -> {
            String whole = value.replaceAll("/.*", ""); // transient replicas are no business of ours
            if (!name.equals("class") && whole.matches("[0-9]{1,9}")) {
                replicas.put(name.equals(FACTOR) ? "" : name, Integer.valueOf(whole));
            }
        });
        return new Replication(keyspace, strategy.substring(strategy.lastIndexOf('.') + 1), replicas);
    }

    /** Whether each data centre has its own number. */
    public boolean isByDataCentre() {
        return strategy.equals(BY_DATA_CENTRE);
    }

    /** In this data centre; 0 where it has none, or none of its own. */
    public int in(String dc) {
        return replicas.getOrDefault(dc, 0);
    }

    /** Wherever nodes happen to be; 0 where it goes by data centres. */
    int anywhere() {
        return replicas.getOrDefault("", 0);
    }

    /** The statement that gives one data centre so many. */
    String altered(String dc, int count) {
        Map<String, Integer> changed = new TreeMap<>(replicas);
        changed.put(dc, count);
        return "ALTER KEYSPACE \"" + keyspace + "\" WITH replication = {'class': '" + BY_DATA_CENTRE + "', "
                + changed.entrySet().stream()
                        .map(each -> "'" + each.getKey() + "': " + each.getValue())
                        .collect(Collectors.joining(", "))
                + "}";
    }
}
