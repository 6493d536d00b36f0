/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.cassandra.service.CassandraDaemon;

/**
 * Cassandra in this process, with its data in a folder: one for the life of the process, and not beside tests without a
 * node.
 */
final class EmbeddedNode {
    private static boolean started;

    private EmbeddedNode() {}

    static synchronized void start() throws IOException {
        if (started) {
            return;
        }
        started = true;
        Path folder = Files.createTempDirectory(Files.createDirectories(Path.of("target")), "node");
        Path yaml = folder.resolve("cassandra.yaml");
        Files.writeString(yaml, """
                cluster_name: store
                num_tokens: 1
                partitioner: org.apache.cassandra.dht.Murmur3Partitioner
                endpoint_snitch: SimpleSnitch
                listen_address: 127.0.0.1
                rpc_address: 127.0.0.1
                storage_port: 27000
                start_native_transport: false
                commitlog_sync: batch
                commitlog_segment_size: 4MiB
                memtable_heap_space: 32MiB
                memtable_offheap_space: 16MiB
                memtable:
                  configurations:
                    skiplist: {class_name: SkipListMemtable}
                    sharded: {class_name: ShardedSkipListMemtable}
                    trie: {class_name: TrieMemtable}
                    default: {inherits: skiplist}
                concurrent_reads: 8
                concurrent_writes: 8
                seed_provider:
                  - class_name: org.apache.cassandra.locator.SimpleSeedProvider
                    parameters: [{seeds: "127.0.0.1:27000"}]
                """);
        System.setProperty("cassandra.config", yaml.toUri().toString());
        System.setProperty("cassandra.storagedir", folder.toString());
        System.setProperty("cassandra-foreground", "yes");
        System.setProperty("cassandra.ring_delay_ms", "0");
        System.setProperty("cassandra.skip_wait_for_gossip_to_settle", "0");
        System.setProperty("cassandra.size_recorder_interval", "0");
        System.setProperty("cassandra.memtable.row_overhead_size", "180");
        new CassandraDaemon(true).activate();
    }
}
