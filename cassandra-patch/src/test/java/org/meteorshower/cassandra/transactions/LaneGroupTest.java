/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.Test;
import org.meteorshower.cassandra.store.TestTables;
import org.meteorshower.protocol.TakingPart.Stage;

class LaneGroupTest {
    private static final List<String> ALL = List.of("eu", "us", "asia");

    @Test
    void eachSetOfDataCentresIsAGroupThatItsNumberNames() {
        Set<Integer> numbers = new HashSet<>();
        for (int bits = 1; bits < 1 << ALL.size(); bits++) {
            List<String> some = new ArrayList<>();
            for (int dc = ALL.size() - 1; dc >= 0; dc--) { // in whatever order
                if ((bits >>> dc & 1) == 1) {
                    some.add(ALL.get(dc));
                }
            }
            LaneGroup group = LaneGroup.of(some, ALL);
            assertThat(group).isNotNull().isEqualTo(LaneGroup.numbered(group.number(), ALL));
            assertThat(group.dataCentres())
                    .containsExactlyInAnyOrderElementsOf(some)
                    .isSubsetOf(ALL);
            assertThat(group.isWhole()).isEqualTo(some.size() == ALL.size());
            numbers.add(group.number());
        }
        assertThat(numbers).hasSize((1 << ALL.size()) - 1).contains(LaneGroup.WHOLE);
    }

    @Test
    void namesStandInTheOptionsOrder() {
        LaneGroup group = LaneGroup.of(List.of("asia", "elsewhere", "eu"), ALL);
        assertThat(group).isEqualTo(new LaneGroup(5, List.of("eu", "asia")));
        assertThat(group.text()).isEqualTo("eu,asia");
    }

    @Test
    void whoIsNotConfiguredMakesNoGroup() {
        assertThat(LaneGroup.of(List.of("elsewhere"), ALL)).isNull();
        assertThat(LaneGroup.numbered(8, ALL)).isNull();
        assertThat(LaneGroup.numbered(9, ALL)).isNull();
        assertThat(LaneGroup.numbered(-1, ALL)).isNull();
    }

    @Test
    void aTableRemembersItsGroup() {
        for (TransactionOptions options : List.of(
                TransactionOptions.open(17, LaneGroup.WHOLE),
                TransactionOptions.open(17, 5),
                TransactionOptions.open(17, Integer.MAX_VALUE - 1),
                TransactionOptions.open(17, 5).at(Stage.ENDED),
                TransactionOptions.open(17, LaneGroup.WHOLE).at(Stage.CLOSED),
                TransactionOptions.open(0, 5).at(Stage.COMING_TOGETHER))) {
            assertThat(TransactionOptions.of(table(ByteBufferUtil.bytesToHex(options.toExtension()))))
                    .isEqualTo(options);
        }
    }

    /** So a plugin that knows no groups goes on with tables of all data centres. */
    @Test
    void tablesOfAllDataCentresAreNotedAsEver() {
        assertThat(UTF8Type.instance.compose(new TransactionOptions(17, LaneGroup.WHOLE, Stage.ENDED).toExtension()))
                .isEqualTo("v1,base=17,ended");
    }

    @Test
    void whatALaterPluginHasNotedIsNotGuessedAt() {
        for (String text : List.of("v2,base=17", "v2,base=17,group=0", "v2,base=17,group=2147483648", "v3,base=17")) {
            assertThatThrownBy(
                            () -> TransactionOptions.of(table(ByteBufferUtil.bytesToHex(ByteBufferUtil.bytes(text)))))
                    .as(text)
                    .hasMessageContaining("later version");
        }
    }

    private static TableMetadata table(String hex) {
        String unused = TestTables.PAIRS.name;
        return TableMetadata.builder("groups", "t")
                .partitioner(Murmur3Partitioner.instance)
                .addPartitionKeyColumn("k", UTF8Type.instance)
                .extensions(Map.of(TransactionOptions.EXTENSION, ByteBufferUtil.hexToBytes(hex)))
                .build();
    }
}
