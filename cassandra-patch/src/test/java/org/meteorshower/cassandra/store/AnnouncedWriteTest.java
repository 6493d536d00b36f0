/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.junit.jupiter.api.Test;
import org.meteorshower.cassandra.store.AnnouncedWrite.Announcements;

class AnnouncedWriteTest {
    private final List<String> told = new ArrayList<>();
    private final PartitionUpdate first = update();
    private final PartitionUpdate second = update();

    private static PartitionUpdate update() {
        PartitionUpdate.SimpleBuilder builder = PartitionUpdate.simpleBuilder(TestTables.PAIRS, "key")
                .timestamp(1)
                .nowInSec(1);
        builder.row().add("a", "same");
        return builder.build();
    }

    private Announcements announcements() {
        Announcements announcements = new Announcements();
        announcements.add(first, true, outcome("first"));
        announcements.add(second, false, outcome("second"));
        return announcements;
    }

    private AnnouncedWrite.Outcome outcome(String name) {
        return new AnnouncedWrite.Outcome() {
            @Override
            public void applied() {
                told.add(name + " applied");
            }

            @Override
            public void failed() {
                told.add(name + " failed");
            }
        };
    }

    @Test
    void eachUpdateIsReportedWhenItIsInTheMemtableAndOnlyOnce() {
        Announcements announcements = announcements();
        announcements.written(second);
        announcements.written(second);
        announcements.written(update()); // equal, but none of these
        announcements.written(first);
        announcements.failRemaining();
        assertThat(told).containsExactly("second applied", "first applied");
    }

    @Test
    void whatNeverGotThereIsReportedAsFailed() {
        Announcements announcements = announcements();
        announcements.written(first);
        announcements.failRemaining();
        announcements.failRemaining();
        assertThat(told).containsExactly("first applied", "second failed");
        assertThat(announcements.added()).isEqualTo(2);
        assertThat(announcements.journaled()).isEqualTo(1);
    }
}
