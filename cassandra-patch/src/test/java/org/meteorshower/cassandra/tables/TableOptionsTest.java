/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.Test;
import org.meteorshower.cassandra.placement.WriteQuorum;
import org.meteorshower.cassandra.store.TestTables;
import org.meteorshower.cassandra.tables.TableOptions.Ranges;
import org.meteorshower.cassandra.tables.TableOptions.Strict;

class TableOptionsTest {
    private static TableMetadata table(String extension) {
        return table(extension == null ? null : ByteBufferUtil.bytes(extension));
    }

    private static TableMetadata table(ByteBuffer extension) {
        assertThat(TestTables.PAIRS).isNotNull(); // prepares Cassandra's classes
        TableMetadata.Builder builder = TableMetadata.builder("test", "options")
                .partitioner(Murmur3Partitioner.instance)
                .addPartitionKeyColumn("k", UTF8Type.instance);
        if (extension != null) {
            builder.extensions(Map.of(TableOptions.EXTENSION, extension));
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
        assertThat(options)
                .isEqualTo(
                        new TableOptions(WriteQuorum.ONE, Ranges.CASSANDRA, Strict.CLOCKS, Set.of(), TableEpoch.NONE));
        assertThat(TableOptions.of(table("v1," + options))).isEqualTo(options);
        TableOptions served = TableOptions.parse("ranges=served");
        assertThat(served.ranges()).isEqualTo(Ranges.SERVED);
        assertThat(TableOptions.of(table("v1," + served))).isEqualTo(served);
        TableOptions home = TableOptions.parse("strict=home");
        assertThat(home.rules().strictAtHome()).isTrue();
        assertThat(TableOptions.of(table("v1," + home))).isEqualTo(home);
        assertThat(TableOptions.of(table((String) null))).isNull();
    }

    @Test
    void leaseHoldersAreDataCentresByTheNamesThatNodetoolGivesThem() {
        TableOptions some = TableOptions.parse("strict=home, Holders=us-East + eu ");
        assertThat(some.leaseHolders()).containsExactlyInAnyOrder("us-East", "eu");
        assertThat(TableOptions.of(table(some.toExtension()))).isEqualTo(some);
        assertThat(TableOptions.parse("strict=home,holders=ALL")).isEqualTo(TableOptions.parse("strict=home"));
        assertThat(some.rules()).isEqualTo(TableOptions.parse("strict=home").rules());
        for (String nobody : List.of("", "+", "eu+", "eu;us")) {
            assertThatThrownBy(() -> TableOptions.parse("strict=home,holders=" + nobody))
                    .hasMessageContaining("holders=DC1+DC2");
        }
        assertThatThrownBy(() -> TableOptions.parse("holders=eu")).hasMessageContaining("strict=home only");
    }

    @Test
    void theEpochSurvivesTheSchemaAndIsNotForOperatorsToSet() {
        TableOptions moved = TableOptions.DEFAULT.in(new TableEpoch(17, true, "abc"));
        TableOptions first = TableOptions.DEFAULT.in(new TableEpoch(16, false, "abc"));
        assertThat(TableOptions.of(table(moved.toExtension()))).isEqualTo(moved);
        assertThat(TableOptions.of(table(first.toExtension()))).isEqualTo(first);
        assertThat(TableOptions.parse(moved.toString()).epoch()).isEqualTo(TableEpoch.NONE);
        assertThatThrownBy(() -> TableOptions.parse("epoch=18")).hasMessageContaining("'epoch=18'");
        TableMetadata garbled = table("v1,w=one;epoch=soon");
        assertThatThrownBy(() -> TableOptions.of(garbled)).hasMessageContaining("epoch=soon");
    }

    @Test
    void aTableHasAnotherNameInEachEpochAlsoWhenItsPartitionsReturn() {
        TableId table = TableId.fromUUID(new UUID(3, 4));
        TableEpoch first = new TableEpoch(16, false, "abc");
        TableEpoch moved = first.next("def");
        TableEpoch back = moved.next("abc");
        assertThat(moved.number()).isGreaterThan(first.number());
        assertThat(back.number()).isGreaterThan(moved.number());
        assertThat(Set.of(first.idOf(table), moved.idOf(table), back.idOf(table)))
                .hasSize(3);
        assertThat(new TableEpoch(16, false, "abc").idOf(table)).isEqualTo(first.idOf(table));
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
