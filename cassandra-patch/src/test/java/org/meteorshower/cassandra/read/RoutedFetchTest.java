/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.junit.jupiter.api.Test;
import org.meteorshower.cassandra.placement.RingPlacement;
import org.meteorshower.cassandra.store.TestTables;
import org.meteorshower.cassandra.tables.EnabledTables;
import org.meteorshower.cassandra.tables.GivenTables;
import org.meteorshower.cassandra.tables.TableOptions;
import org.meteorshower.protocol.Effect.Failure;
import org.meteorshower.protocol.Effect.ReadInfo;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.ReadMode;
import org.meteorshower.protocol.Served;
import org.meteorshower.runtime.RequestRefusedException;

class RoutedFetchTest {
    private static final NodeId SELF = new NodeId(new UUID(0, 1));
    private static final NodeId OTHER = new NodeId(new UUID(0, 2));
    private static final ReadTerms TERMS = new ReadTerms(0, ReadMode.SEQUENTIAL, 0);

    private final EnabledTables enabled = new EnabledTables();
    private final List<String> asked = new ArrayList<>();
    private final SinglePartitionReadCommand command = SinglePartitionReadCommand.fullPartitionRead(
            TestTables.PAIRS, 0, TestTables.PAIRS.partitioner.decorateKey(UTF8Type.instance.decompose("a")));

    private RoutedFetch fetch(NodeId holder) {
        return new RoutedFetch(SELF, new RingPlacement(holder), enabled, recording("here"), recording("elsewhere"));
    }

    private LocatedFetch recording(String name) {
        return (read, terms) -> {
            asked.add(name);
            assertThat(terms).isEqualTo(TERMS);
            return new FetchedPartition(null, new ReadInfo(1, Served.LOCAL, 0));
        };
    }

    @Test
    void aPartitionThatIsHereIsReadHereAndAnyOtherWhereItIs() throws Exception {
        GivenTables.enable(enabled, TableOptions.DEFAULT, TestTables.PAIRS);
        fetch(SELF).fetch(command, TERMS);
        fetch(OTHER).fetch(command, TERMS);

        assertThat(asked).containsExactly("here", "elsewhere");
    }

    @Test
    void aTableThatThisNodeDoesNotFollowIsReadNowhere() {
        RequestRefusedException refused = catchThrowableOfType(
                RequestRefusedException.class, () -> fetch(SELF).fetch(command, TERMS));

        assertThat(refused.failure()).isEqualTo(Failure.NOT_READY);
        assertThat(asked).isEmpty();
    }
}
