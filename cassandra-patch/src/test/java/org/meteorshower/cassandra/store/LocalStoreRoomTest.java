/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.Test;
import org.meteorshower.runtime.ByteAccount;

final class LocalStoreRoomTest {
    @Test
    void whatOthersSentIsDroppedWhereThereIsNoRoomForIt() {
        ByteAccount applying = new ByteAccount(1_000);
        applying.take(1_000);
        try (LocalStore store = new LocalStore(applying)) {
            PartitionUpdate update = PartitionUpdate.emptyUpdate(
                    TestTables.PAIRS, TestTables.PAIRS.partitioner.decorateKey(ByteBufferUtil.bytes("k")));
            store.apply(new CassandraUpdate(TestTables.ID, update));
        }

        assertThat(applying.used()).isEqualTo(1_000);
        assertThat(applying.timesFull()).isEqualTo(1);
    }
}
