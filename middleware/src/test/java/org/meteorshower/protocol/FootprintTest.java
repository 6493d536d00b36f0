/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.github.jamm.MemoryMeter;
import org.junit.jupiter.api.Test;

/** The estimates against what the objects take in this Java. */
class FootprintTest {
    private static final int RECORDS = 40_000;

    /** The part of a record that is not here: its key, which the update has, and the journal's index. */
    private static final long ELSEWHERE = 72 + 112;

    @Test
    void aRecordTakesAboutWhatIsCountedForIt() {
        List<Put> puts = new ArrayList<>();
        for (int i = 0; i < RECORDS; i++) {
            byte[] key = ByteBuffer.allocate(8).putLong(i).array();
            puts.add(Put.of(new PartitionKey(Put.TABLE, key), 1_000_000 + i, Map.of("1.v", "a")));
        }
        SequentialReads core = withRecordsOf(puts);
        MemoryMeter meter = MemoryMeter.builder().build();
        long real = (meter.measureDeep(List.of(core, puts)) - meter.measureDeep(puts)) / RECORDS;

        long counted = core.view().memoryUse().index() / RECORDS - ELSEWHERE;
        System.out.println("a record: " + real + " bytes on the heap, " + counted + " counted");
        assertThat(core.view().recordCount()).isEqualTo(puts.size());
        assertThat((double) real).as("bytes of a record").isBetween(counted / 1.6, counted * 1.6);
    }

    private static SequentialReads withRecordsOf(List<Put> puts) {
        ReplicaGroup group = new ReplicaGroup(List.of(NodeId.of(1), NodeId.of(2), NodeId.of(3)), 2);
        Settings settings = TestSettings.plain().withoutHistory().build();
        SequentialReads core = new SequentialReads(NodeId.of(1), settings, key -> group, Recovery.none(1));
        Now now = new Now(10_000_000, 1);
        core.step(new Event.PeersChanged(Set.copyOf(group.members())), now);
        core.step(new Event.TableEnabled(Put.TABLE, true), now);
        for (Put put : puts) {
            core.step(new Event.Intended(put, null, 0, 0), now);
        }
        return core;
    }
}
