/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.KeyspaceParams;
import org.apache.cassandra.schema.Keyspaces;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.Tables;
import org.apache.cassandra.schema.TriggerMetadata;
import org.apache.cassandra.schema.Triggers;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.Test;
import org.meteorshower.cassandra.store.TestTables;

class SchemaGuardTest {
    private static Map<?, String> obstacles(
            boolean enabled, KeyspaceParams params, UnaryOperator<TableMetadata.Builder> change) {
        assertThat(TestTables.PAIRS).isNotNull(); // prepares Cassandra's classes
        TableMetadata.Builder table = TableMetadata.builder("test", "guarded")
                .partitioner(Murmur3Partitioner.instance)
                .addPartitionKeyColumn("k", UTF8Type.instance)
                .addRegularColumn("v", UTF8Type.instance);
        if (enabled) {
            table.extensions(Map.of(TableOptions.EXTENSION, ByteBufferUtil.bytes("v1,")));
        }
        Tables tables = Tables.of(change.apply(table).build());
        return SchemaGuard.obstacles(Keyspaces.of(KeyspaceMetadata.create("test", params, tables)));
    }

    @Test
    void anEnabledTableThatCouldBeEnabledIsServed() {
        assertThat(obstacles(true, KeyspaceParams.simple(3), table -> table)).isEmpty();
    }

    @Test
    void anEnabledTableWithATriggerIsNot() {
        assertThat(obstacles(
                                true,
                                KeyspaceParams.simple(3),
                                table -> table.triggers(Triggers.of(TriggerMetadata.create("t", "some.Trigger"))))
                        .values())
                .singleElement()
                .asString()
                .contains("triggers");
    }

    @Test
    void norOneThatForgetsDeletionsAtOnce() {
        assertThat(obstacles(true, KeyspaceParams.simple(3), table -> table.gcGraceSeconds(0))
                        .values())
                .singleElement()
                .asString()
                .contains("gc_grace_seconds");
    }

    @Test
    void norOneInAKeyspaceWhoseWritesMayBeLost() {
        KeyspaceParams careless =
                KeyspaceParams.create(false, Map.of("class", "SimpleStrategy", "replication_factor", "3"));
        assertThat(obstacles(true, careless, table -> table).values())
                .singleElement()
                .asString()
                .contains("durable_writes");
    }

    @Test
    void aTableThatIsNotEnabledMayBeAnything() {
        assertThat(obstacles(false, KeyspaceParams.simple(3), table -> table.gcGraceSeconds(0)))
                .isEmpty();
    }
}
