/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.cassandra.auth.AllowAllAuthorizer;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.PartitionRangeReadCommand;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.exceptions.OverloadedException;
import org.apache.cassandra.exceptions.ReadTimeoutException;
import org.apache.cassandra.exceptions.UnavailableException;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.Test;
import org.meteorshower.cassandra.metrics.Metric;
import org.meteorshower.cassandra.metrics.RefusalCause;
import org.meteorshower.cassandra.metrics.Refusals;
import org.meteorshower.cassandra.read.FetchedPartition;
import org.meteorshower.cassandra.read.OpenScan;
import org.meteorshower.cassandra.read.ReadTerms;
import org.meteorshower.cassandra.request.ClientRequest;
import org.meteorshower.cassandra.tables.GivenTables;
import org.meteorshower.cassandra.tables.TableOptions;
import org.meteorshower.protocol.Effect.Failure;
import org.meteorshower.protocol.Effect.ReadInfo;
import org.meteorshower.protocol.ReadMode;
import org.meteorshower.protocol.Served;
import org.meteorshower.runtime.RequestRefusedException;

/** A SELECT from an enabled table, from the front door to where the partition is looked for. */
class ReadHandlerTest {
    private static final String READ = "SELECT v FROM enabled WHERE k = 'a'";

    private final Door door = new Door();

    private ResultMessage serve(String text) {
        return door.open.serve(Requests.of(text, ConsistencyLevel.QUORUM));
    }

    private static FetchedPartition found(String key, String value, long cutMicros, Served served) {
        PartitionUpdate.SimpleBuilder partition = PartitionUpdate.simpleBuilder(Requests.ENABLED, key);
        partition.timestamp(1).row().add("v", value);
        return new FetchedPartition(
                ImmutableBTreePartition.create(partition.build().unfilteredIterator()),
                new ReadInfo(cutMicros, served, 9));
    }

    @Test
    void theRowsOfTheCutAreTheAnswer() throws Exception {
        door.here = (read, terms) -> found("a", "x", 70, Served.OLDER);
        ClientRequest request = Requests.of(
                Requests.parse(READ), ConsistencyLevel.QUORUM, Map.of(PayloadKeys.TOKEN, door.tokens.encode(7)));
        ResultMessage.Rows answer = (ResultMessage.Rows) door.open.serve(request);

        assertThat(answer.result.rows).singleElement().satisfies(row -> assertThat(ByteBufferUtil.string(row.get(0)))
                .isEqualTo("x"));
        Map<String, ByteBuffer> told = answer.getCustomPayload();
        assertThat(door.tokens.decode(told.get(PayloadKeys.TOKEN))).isEqualTo(70);
        assertThat(ByteBufferUtil.string(told.get(PayloadKeys.SERVED))).isEqualTo("older");
        assertThat(door.metrics
                        .count(Metric.READS, Requests.KEYSPACE, "enabled", "sequential", "older")
                        .value())
                .isEqualTo(1);
    }

    @Test
    void ofSeveralPartitionsTheOldestCutIsToldAndTheLatestIsSeen() throws Exception {
        door.here = (read, terms) -> Arrays.equals(read.key().bytes(), "a".getBytes(StandardCharsets.UTF_8))
                ? found("a", "x", 70, Served.LOCAL)
                : found("b", "y", 90, Served.WAITED);
        ClientRequest request = Requests.of(
                Requests.parse("SELECT v FROM enabled WHERE k IN ('a', 'b')"),
                ConsistencyLevel.QUORUM,
                Map.of(PayloadKeys.TOKEN, door.tokens.encode(7)));
        ResultMessage.Rows answer = (ResultMessage.Rows) door.open.serve(request);

        assertThat(answer.result.rows).hasSize(2);
        Map<String, ByteBuffer> told = answer.getCustomPayload();
        assertThat(told.get(PayloadKeys.CUT).getLong(0)).isEqualTo(70);
        assertThat(door.tokens.decode(told.get(PayloadKeys.TOKEN))).isEqualTo(90);
        assertThat(ByteBufferUtil.string(told.get(PayloadKeys.SERVED))).isEqualTo("waited");
    }

    @Test
    void theTermsAreTheSessions() {
        Set<ReadTerms> seen = new LinkedHashSet<>();
        door.here = (read, terms) -> {
            seen.add(terms);
            return found("a", "x", 70, Served.LOCAL);
        };
        door.open.serve(Requests.of(
                Requests.parse(READ),
                ConsistencyLevel.QUORUM,
                Map.of(PayloadKeys.TOKEN, door.tokens.encode(7), PayloadKeys.MODE, ByteBufferUtil.bytes("bounded:5"))));

        assertThat(seen).singleElement().satisfies(terms -> {
            assertThat(terms.tokenMicros()).isEqualTo(7);
            assertThat(terms.mode()).isEqualTo(ReadMode.bounded(5));
        });
    }

    @Test
    void aScanHasNoCut() {
        assertThatThrownBy(() -> serve("SELECT v FROM enabled"))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("ranges=cassandra");
        assertThat(door.refusals.recent()).extracting(Refusals.Entry::cause).containsExactly(RefusalCause.STATEMENT);
    }

    private static ImmutableBTreePartition row(String key, String value) {
        return found(key, value, 0, Served.LOCAL).rows();
    }

    /** A scan that finds these, whatever it is asked for. */
    private static final class Given implements OpenScan {
        private final List<ImmutableBTreePartition> rows;
        boolean closed;

        Given(ImmutableBTreePartition... rows) {
            this.rows = List.of(rows);
        }

        @Override
        public ReadInfo info() {
            return new ReadInfo(80, Served.LOCAL, 9);
        }

        @Override
        public List<ImmutableBTreePartition> rowsFor(PartitionRangeReadCommand page) throws RequestRefusedException {
            if (rows.isEmpty()) {
                throw new RequestRefusedException(Failure.CUT_GONE, "too much came");
            }
            return rows;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    @Test
    void aScanIsServedAtOneCutWhereTheTableSaysSo() throws Exception {
        GivenTables.enable(door.enabled, TableOptions.parse("ranges=served"), Requests.ENABLED);
        Given scan = new Given(row("a", "x"), row("b", "y"));
        door.scans = (first, terms, after) -> scan;
        ResultMessage.Rows answer = (ResultMessage.Rows) door.open.serve(Requests.of(
                Requests.parse("SELECT v FROM enabled"),
                ConsistencyLevel.QUORUM,
                Map.of(PayloadKeys.TOKEN, door.tokens.encode(7))));

        assertThat(answer.result.rows).hasSize(2);
        assertThat(door.tokens.decode(answer.getCustomPayload().get(PayloadKeys.TOKEN)))
                .isEqualTo(80);
        assertThat(scan.closed).isTrue();
        assertThat(((ResultMessage.Rows) serve("SELECT v FROM enabled LIMIT 1")).result.rows)
                .hasSize(1);
        assertThat(((ResultMessage.Rows) serve("SELECT COUNT(*) FROM enabled")).result.rows)
                .hasSize(1);
    }

    @Test
    void aScanBeginsAnewWhereItsCutIsLostAndIsThenRefused() throws Exception {
        GivenTables.enable(door.enabled, TableOptions.parse("ranges=served"), Requests.ENABLED);
        Queue<Given> scans = new ArrayDeque<>(List.of(new Given(), new Given(row("a", "x"))));
        door.scans = (first, terms, after) -> scans.remove();
        assertThat(((ResultMessage.Rows) serve("SELECT v FROM enabled")).result.rows)
                .hasSize(1);

        AtomicInteger begun = new AtomicInteger();
        door.scans = (first, terms, after) -> {
            begun.incrementAndGet();
            return new Given();
        };
        assertThatThrownBy(() -> serve("SELECT v FROM enabled"))
                .isInstanceOf(OverloadedException.class)
                .hasMessageContaining("too much came");
        assertThat(begun.get()).isEqualTo(4);
    }

    @Test
    void aScanThatCannotHaveOneCutIsRefusedByName() {
        GivenTables.enable(door.enabled, TableOptions.parse("ranges=served"), Requests.ENABLED);
        assertThatThrownBy(() -> serve("SELECT DISTINCT k FROM enabled")).hasMessageContaining("DISTINCT");
        assertThatThrownBy(() -> serve("SELECT k, COUNT(*) FROM enabled GROUP BY k"))
                .hasMessageContaining("GROUP BY");
        assertThatThrownBy(() -> serve("SELECT k FROM enabled PER PARTITION LIMIT 1"))
                .hasMessageContaining("PER PARTITION LIMIT");
        assertThatThrownBy(() -> door.open.serve(Requests.of(
                        Requests.parse("SELECT v FROM enabled"),
                        ConsistencyLevel.QUORUM,
                        Map.of(PayloadKeys.MODE, ByteBufferUtil.bytes("strict")))))
                .hasMessageContaining("sequential");
    }

    @Test
    void aTableInNoStateToBeReadIsSaidToBe() {
        GivenTables.obstruct(door.enabled, Requests.ENABLED, "has triggers");
        assertThatThrownBy(() -> serve(READ)).hasMessageContaining("has triggers");

        Door other = new Door();
        other.onRing = false;
        assertThatThrownBy(() -> other.open.serve(Requests.of(READ, ConsistencyLevel.QUORUM)))
                .hasMessageContaining("no place on the ring");
    }

    @Test
    void aNodeThatLeavesTheRingWhileItReadsAnswersNothing() {
        door.here = (read, terms) -> {
            door.onRing = false;
            return found("a", "x", 70, Served.LOCAL);
        };
        assertThatThrownBy(() -> serve(READ)).hasMessageContaining("no place on the ring");
    }

    @Test
    void aRefusalOfTheMiddlewareIsAnErrorThatDriversKnow() {
        assertThat(failure(new RequestRefusedException(Failure.TIMED_OUT, "late")))
                .isInstanceOf(ReadTimeoutException.class);
        assertThat(failure(new RequestRefusedException(Failure.OVERLOADED, "full")))
                .isInstanceOf(OverloadedException.class);
        assertThat(failure(new RequestRefusedException(Failure.CLOCK, "off"))).isInstanceOf(UnavailableException.class);
        assertThat(failure(new RequestRefusedException(Failure.BAD_TOKEN, "forged")))
                .isInstanceOf(InvalidRequestException.class);
        assertThat(door.refusals.recent())
                .extracting(Refusals.Entry::cause)
                .containsExactly(
                        RefusalCause.TIMED_OUT, RefusalCause.OVERLOADED, RefusalCause.CLOCK, RefusalCause.BAD_TOKEN);
    }

    private Throwable failure(RequestRefusedException refused) {
        door.here = (read, terms) -> {
            throw refused;
        };
        return catchThrowable(() -> serve(READ));
    }

    @Test
    void aBadTokenIsRefusedAndCounted() {
        ClientRequest request = Requests.of(
                Requests.parse(READ),
                ConsistencyLevel.QUORUM,
                Map.of(PayloadKeys.TOKEN, ByteBuffer.wrap(new byte[] {1, 2})));

        assertThatThrownBy(() -> door.open.serve(request)).isInstanceOf(InvalidRequestException.class);
        assertThat(door.refusals.recent()).extracting(Refusals.Entry::table).containsExactly("doors.enabled");
    }

    @Test
    void anAggregateIsOfOneCutHoweverItIsPaged() {
        DatabaseDescriptor.setAuthorizer(new AllowAllAuthorizer()); // of who may call count()
        int[] times = {0};
        door.here = (read, terms) -> {
            times[0]++;
            return found("a", "x", 70, Served.LOCAL);
        };
        ResultMessage.Rows counted = (ResultMessage.Rows) serve("SELECT count(*) FROM enabled WHERE k = 'a'");

        assertThat(counted.result.rows).hasSize(1);
        assertThat(times[0]).isEqualTo(1);
    }

    /**
     * Our classes on the stack where the partition is looked for. The query handler is in front of them; behind them
     * are LocalFetch, MeteorShower and, where a mutation is in flight, OverlaidRead. docs/HACKING.md, "Find your way",
     * tells of all.
     */
    @Test
    void aSelectPassesFewClasses() {
        Set<String> passed = new LinkedHashSet<>();
        door.here = (read, terms) -> {
            passed.addAll(oursOnTheStack());
            return found("a", "x", 70, Served.LOCAL);
        };
        serve(READ);

        assertThat(new TreeSet<>(passed))
                .containsExactly(
                        "ClosedMeanwhile",
                        "DisabledMeanwhile",
                        "Fetches",
                        "FrontDoor",
                        "ReadHandler",
                        "RoutedFetch",
                        "SelectRunner",
                        "ServedRead");
    }

    private static Collection<String> oursOnTheStack() {
        Set<String> names = new LinkedHashSet<>();
        StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE).forEach(frame -> {
            Class<?> type = frame.getDeclaringClass();
            String outer = type.getName().replaceFirst("\\$.*", "");
            if (outer.startsWith("org.meteorshower.")
                    && !type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .getPath()
                            .contains("test-classes")) {
                names.add(outer.substring(outer.lastIndexOf('.') + 1));
            }
        });
        return names;
    }
}
