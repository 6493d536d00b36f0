/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.jspecify.annotations.Nullable;
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

    private boolean lacking;
    private boolean unheard;
    private @Nullable RequestRefusedException refusal;

    private RoutedFetch fetch(NodeId holder) {
        return new RoutedFetch(SELF, new RingPlacement(holder), enabled, others(), recording("here"), (read, terms) -> {
            FetchedPartition fetched = recording("elsewhere").fetch(read, terms);
            if (refusal != null) {
                throw refusal;
            }
            return fetched;
        });
    }

    private OthersFirst others() {
        return new OthersFirst() {
            @Override
            public boolean atOnce(LocatedRead read, ReadMode mode) {
                return lacking;
            }

            @Override
            public boolean afterAWait(LocatedRead read, ReadMode mode) {
                return unheard;
            }
        };
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
    void whereThisNodeLacksSomethingAnotherOneIsAsked() throws Exception {
        GivenTables.enable(enabled, TableOptions.DEFAULT, TestTables.PAIRS);
        lacking = true;
        fetch(SELF).fetch(command, TERMS);

        assertThat(asked).containsExactly("elsewhere");
    }

    @Test
    void whereNobodyElseCanServeItEitherItWaitsHere() throws Exception {
        GivenTables.enable(enabled, TableOptions.DEFAULT, TestTables.PAIRS);
        lacking = true;
        refusal = new RequestRefusedException(Failure.NOT_READY, "it lacks what others have");
        fetch(SELF).fetch(command, TERMS);

        assertThat(asked).containsExactly("elsewhere", "here");
    }

    @Test
    void aReadThatWaitsHereSinceBeforeItWasNoticedGoesElsewhereOnceItIs() throws Exception {
        GivenTables.enable(enabled, TableOptions.DEFAULT, TestTables.PAIRS);
        RoutedFetch fetch = waiting(() -> lacking = true);
        fetch.fetch(command, inAMinute());

        assertThat(asked).containsExactly("here", "elsewhere");
    }

    @Test
    void aReadThatWaitsWhereNothingIsLackingWaitsHere() throws Exception {
        GivenTables.enable(enabled, TableOptions.DEFAULT, TestTables.PAIRS);
        waiting(() -> {}).fetch(command, inAMinute());

        assertThat(asked).containsExactly("here", "here");
    }

    /** It asks the others for their status once it has waited for half a second in one piece. */
    @Test
    void aReadThatGoesOnWaitingWaitsForASecondInOnePiece() throws Exception {
        GivenTables.enable(enabled, TableOptions.DEFAULT, TestTables.PAIRS);
        List<Long> millis = new ArrayList<>();
        LocatedFetch here = (read, terms) -> {
            millis.add(TimeUnit.NANOSECONDS.toMillis(terms.deadlineNanos() - System.nanoTime()));
            if (millis.size() < 5) {
                throw new RequestRefusedException(Failure.TIMED_OUT, "nothing new is heard");
            }
            return new FetchedPartition(null, new ReadInfo(1, Served.LOCAL, 0));
        };
        new RoutedFetch(SELF, new RingPlacement(SELF), enabled, others(), here, recording("elsewhere"))
                .fetch(command, inAMinute());

        assertThat(millis.subList(0, 3)).allMatch(each -> each <= 250);
        assertThat(millis.subList(3, 5)).allMatch(each -> each <= 1_000).anyMatch(each -> each > 500);
    }

    @Test
    void whereTooFewAreHeardAReadThatHasToWaitGoesElsewhere() throws Exception {
        GivenTables.enable(enabled, TableOptions.DEFAULT, TestTables.PAIRS);
        unheard = true;
        fetch(SELF).fetch(command, TERMS);
        assertThat(asked).containsExactly("here");

        asked.clear();
        waiting(() -> {}).fetch(command, inAMinute());
        assertThat(asked).containsExactly("here", "elsewhere");
    }

    @Test
    void aReadThatNobodyElseCanServeJustNowGoesElsewhereAgain() throws Exception {
        GivenTables.enable(enabled, TableOptions.DEFAULT, TestTables.PAIRS);
        lacking = true;
        LocatedFetch here = (read, terms) -> {
            asked.add("here");
            throw new RequestRefusedException(Failure.TIMED_OUT, "nothing new is heard");
        };
        LocatedFetch elsewhere = (read, terms) -> {
            asked.add("elsewhere");
            if (asked.size() == 1) {
                throw new RequestRefusedException(Failure.NOT_READY, "its replicas are moving");
            }
            return new FetchedPartition(null, new ReadInfo(1, Served.LOCAL, 0));
        };
        new RoutedFetch(SELF, new RingPlacement(SELF), enabled, others(), here, elsewhere).fetch(command, inAMinute());

        assertThat(asked).containsExactly("elsewhere", "here", "elsewhere");
    }

    private static ReadTerms inAMinute() {
        return new ReadTerms(0, ReadMode.SEQUENTIAL, System.nanoTime() + 60_000_000_000L);
    }

    /** The first fetch here is over before its request is. */
    private RoutedFetch waiting(Runnable meanwhile) {
        LocatedFetch here = (read, terms) -> {
            asked.add("here");
            if (asked.size() == 1) {
                meanwhile.run();
                throw new RequestRefusedException(Failure.TIMED_OUT, "nothing new is heard");
            }
            return new FetchedPartition(null, new ReadInfo(1, Served.LOCAL, 0));
        };
        LocatedFetch elsewhere = (read, terms) -> {
            asked.add("elsewhere");
            return new FetchedPartition(null, new ReadInfo(1, Served.LOCAL, 0));
        };
        return new RoutedFetch(SELF, new RingPlacement(SELF), enabled, others(), here, elsewhere);
    }

    @Test
    void whatIsRefusedElsewhereForItsOwnSakeIsRefused() {
        GivenTables.enable(enabled, TableOptions.DEFAULT, TestTables.PAIRS);
        lacking = true;
        refusal = new RequestRefusedException(Failure.BAD_TOKEN, "it is from the future");
        assertThatThrownBy(() -> fetch(SELF).fetch(command, TERMS)).isSameAs(refusal);
        assertThat(asked).containsExactly("elsewhere");
    }

    @Test
    void aTableThatThisNodeDoesNotFollowIsReadNowhere() {
        RequestRefusedException refused = catchThrowableOfType(
                RequestRefusedException.class, () -> fetch(SELF).fetch(command, TERMS));

        assertThat(refused.failure()).isEqualTo(Failure.NOT_READY);
        assertThat(asked).isEmpty();
    }
}
