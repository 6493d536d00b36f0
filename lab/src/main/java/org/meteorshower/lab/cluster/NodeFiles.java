/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes the configuration of one node: small, for many nodes on one machine and a quick start. */
final class NodeFiles {
    private final String clusterName;
    private final ClusterOptions options;
    private final String tokenSecret;
    private final Path wanFile;

    NodeFiles(String clusterName, ClusterOptions options, String tokenSecret, Path wanFile) {
        this.clusterName = clusterName;
        this.options = options;
        this.tokenSecret = tokenSecret;
        this.wanFile = wanFile;
    }

    void write(NodeSpec node, NodeFolder folder, String seedAddress) {
        try {
            Files.createDirectories(folder.temporary());
            Files.createDirectories(folder.data());
            Files.createDirectories(folder.root().resolve("logs"));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make the folders of " + node.name() + ": " + e.getMessage(), e);
        }
        AtomicFile.write(folder.cassandraYaml(), cassandraYaml(node, seedAddress));
        AtomicFile.write(folder.rackProperties(), "dc=" + node.dc() + "\nrack=rack1\n");
        AtomicFile.write(folder.logback(), logback(folder));
        if (options.plugin()) {
            AtomicFile.write(folder.meteorshowerYaml(), meteorshowerYaml(node));
        }
    }

    String cassandraYaml(NodeSpec node, String seedAddress) {
        Map<String, Object> yaml = new LinkedHashMap<>();
        yaml.put("cluster_name", Yaml.quoted(clusterName));
        yaml.put("num_tokens", "1");
        yaml.put("initial_token", Yaml.quoted(Long.toString(node.token())));
        yaml.put("auto_bootstrap", "false");
        yaml.put("partitioner", "org.apache.cassandra.dht.Murmur3Partitioner");
        yaml.put("endpoint_snitch", "GossipingPropertyFileSnitch");
        yaml.put("dynamic_snitch", "false");
        yaml.put("listen_address", node.address());
        yaml.put("rpc_address", node.address());
        yaml.put("storage_port", NodeSpec.STORAGE_PORT);
        yaml.put("native_transport_port", NodeSpec.CQL_PORT);
        yaml.put("start_native_transport", "true");
        yaml.put(
                "seed_provider",
                "[{class_name: org.apache.cassandra.locator.SimpleSeedProvider, parameters: [{seeds: "
                        + Yaml.quoted(seedAddress) + "}]}]");
        // An acknowledged write survives kill -9; with the default, periodic, up to ten seconds of writes do not.
        yaml.put("commitlog_sync", "batch");
        // The rival worth comparing with: version 1 is the default, and much slower across data centres.
        yaml.put("paxos_variant", "v2");
        yaml.put("concurrent_reads", "8");
        yaml.put("concurrent_writes", "8");
        yaml.put("concurrent_counter_writes", "8");
        yaml.put("concurrent_compactors", "1");
        // Cassandra's own: each holds one request, and 16 of them were all taken by QUORUM requests over slow links.
        yaml.put("native_transport_max_threads", "128");
        yaml.put("memtable_heap_space", "48MiB");
        yaml.put("memtable_offheap_space", "16MiB");
        yaml.put("commitlog_segment_size", "4MiB");
        yaml.put("commitlog_total_space", "64MiB");
        yaml.put("key_cache_size", "4MiB");
        yaml.put("counter_cache_size", "0MiB");
        yaml.put("file_cache_size", "16MiB");
        yaml.put("networking_cache_size", "16MiB");
        options.cassandraOptions()
                .forEach((key, value) -> yaml.put(key, value.replace(ClusterOptions.NODE, node.name())));
        return Yaml.write(yaml);
    }

    String meteorshowerYaml(NodeSpec node) {
        Map<String, Object> yaml = new LinkedHashMap<>();
        Yaml.put(yaml, "transport.address", node.address());
        Yaml.put(yaml, "transport.port", Integer.toString(NodeSpec.TRANSPORT_PORT));
        Yaml.put(yaml, "token_secret", Yaml.quoted(tokenSecret));
        Yaml.put(yaml, "wan.file", Yaml.quoted(wanFile.toString()));
        // Nothing of them runs before a table takes part.
        Yaml.put(yaml, "transactions.data_centres", "[" + String.join(", ", options.dcs()) + "]");
        Yaml.put(yaml, "transactions.replicas", Integer.toString(Math.min(3, options.nodesPerDc())));
        // Nodes that share a few cores stand still longer than machines of their own do.
        Yaml.put(yaml, "transactions.suspicion_ms", "1000");
        if (options.pluginOptions().containsKey("metrics.port")) {
            Yaml.put(yaml, "metrics.address", node.address()); // the nodes share a machine, and so a port
        }
        options.pluginOptions().forEach((key, value) -> Yaml.put(yaml, key, value));
        return Yaml.write(yaml);
    }

    private static String logback(NodeFolder folder) {
        return """
                <configuration>
                  <appender name="FILE" class="ch.qos.logback.core.rolling.RollingFileAppender">
                    <file>%1$s</file>
                    <rollingPolicy class="ch.qos.logback.core.rolling.FixedWindowRollingPolicy">
                      <fileNamePattern>%1$s.%%i</fileNamePattern>
                      <minIndex>1</minIndex>
                      <maxIndex>2</maxIndex>
                    </rollingPolicy>
                    <triggeringPolicy class="ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy">
                      <maxFileSize>16MB</maxFileSize>
                    </triggeringPolicy>
                    <encoder>
                      <pattern>%%-5level [%%thread] %%d{ISO8601} %%logger{0} - %%msg%%n</pattern>
                    </encoder>
                  </appender>
                  <!-- Who is in the ring is said at this level only; see GossipLog. -->
                  <logger name="org.apache.cassandra.service.StorageService" level="DEBUG"/>
                  <root level="INFO">
                    <appender-ref ref="FILE"/>
                  </root>
                </configuration>
                """.formatted(folder.systemLog());
    }
}
