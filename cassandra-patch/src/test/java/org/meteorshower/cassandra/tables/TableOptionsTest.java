/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.Test;
import org.meteorshower.cassandra.placement.WriteQuorum;
import org.meteorshower.cassandra.store.TestTables;

class TableOptionsTest {
    private static TableMetadata table(String extension) {
        assertThat(TestTables.PAIRS).isNotNull(); // prepares Cassandra's classes
        TableMetadata.Builder builder = TableMetadata.builder("test", "options")
                .partitioner(Murmur3Partitioner.instance)
                .addPartitionKeyColumn("k", UTF8Type.instance);
        if (extension != null) {
            builder.extensions(Map.of(TableOptions.EXTENSION, ByteBufferUtil.bytes(extension)));
        }
        return builder.build();
    }

    @Test
    void nothingSaidMeansTheDefaults() {
        assertThat(TableOptions.parse("")).isEqualTo(TableOptions.DEFAULT);
        assertThat(TableOptions.parse("w=majority, ranges=refuse")).isEqualTo(TableOptions.DEFAULT);
    }

    @Test
    void optionsSurviveTheSchema() {
        TableOptions options = TableOptions.parse("ranges=cassandra,W=ONE");
        assertThat(options).isEqualTo(new TableOptions(WriteQuorum.ONE, true));
        assertThat(TableOptions.of(table("v1," + options))).isEqualTo(options);
        assertThat(TableOptions.of(table(null))).isNull();
    }

    @Test
    void whatIsNotUnderstoodIsRefused() {
        assertThatThrownBy(() -> TableOptions.parse("w=two"))
                .hasMessageContaining("'w=two'")
                .hasMessageContaining("w=one");
        TableMetadata later = table("v9,w=one");
        assertThatThrownBy(() -> TableOptions.of(later)).hasMessageContaining("later version");
    }
}
