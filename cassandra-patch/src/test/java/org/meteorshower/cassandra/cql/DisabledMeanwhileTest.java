/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.exceptions.UnavailableException;
import org.apache.cassandra.exceptions.WriteTimeoutException;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.junit.jupiter.api.Test;
import org.meteorshower.cassandra.read.FetchedPartition;
import org.meteorshower.cassandra.request.ClientRequest;
import org.meteorshower.cassandra.tables.GivenTables;
import org.meteorshower.cassandra.tables.TableOptions;
import org.meteorshower.protocol.Effect.Failure;
import org.meteorshower.protocol.Effect.ReadInfo;
import org.meteorshower.protocol.Served;
import org.meteorshower.runtime.RequestRefusedException;

/** docs/ARCHITECTURE.md, "When a table is disabled", as a request meets it. */
class DisabledMeanwhileTest {
    private static final UUID NAME = new UUID(3, 4);
    private static final String READ = "SELECT v FROM enabled WHERE k = 'a'";
    private static final String WRITE = "INSERT INTO enabled (k, v) VALUES ('a', 'x')";

    private final Door door = new Door();

    private void enable() {
        GivenTables.enable(door.enabled, TableOptions.DEFAULT, Requests.ENABLED);
    }

    private void disable() {
        GivenTables.enable(door.enabled, TableOptions.DEFAULT);
    }

    private ResultMessage serve(String text) {
        return door.open.serve(Requests.of(text, ConsistencyLevel.QUORUM));
    }

    @Test
    void aRequestForATableThatSomebodyMayStillServeWaitsUntilNobodyDoes() {
        disable();
        AtomicInteger looks = new AtomicInteger();
        door.isEnding = name -> {
            assertThat(name).isEqualTo(NAME);
            assertThat(door.cassandra.calls).isEmpty();
            return looks.incrementAndGet() < 4;
        };
        door.endings.begin(Requests.ENABLED.id, NAME);
        serve(READ);

        assertThat(door.cassandra.calls).containsExactly("process");
        assertThat(looks).hasValue(4);
    }

    @Test
    void aReadThatFailsSinceItsTableIsDisabledGoesOnAsOneOfAnOrdinaryTable() {
        door.here = (read, terms) -> {
            disable();
            throw new RequestRefusedException(Failure.NOT_READY, "the table was disabled");
        };
        serve(READ);

        assertThat(door.cassandra.calls).containsExactly("process");
    }

    @Test
    void aReadThatFailsForAnotherReasonFails() {
        door.here = (read, terms) -> {
            throw new RequestRefusedException(Failure.NOT_READY, "not yet");
        };

        assertThatThrownBy(() -> serve(READ))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("not yet");
        assertThat(door.cassandra.calls).isEmpty();
    }

    @Test
    void aReadIsMadeAgainWhereTheTableWasEnabledBeforeCassandraAnswered() {
        disable();
        door.cassandra.whileAnswering = this::enable;
        serve(READ);

        assertThat(door.cassandra.calls).containsExactly("process");
        assertThat(door.shared.cutMicros()).as("served at a cut then").isEqualTo(50);
    }

    @Test
    void ofAWriteNobodyKnowsWhereTheTableWasEnabledBeforeCassandraAnswered() {
        disable();
        door.cassandra.whileAnswering = this::enable;

        assertThatThrownBy(() -> serve(WRITE)).isInstanceOf(WriteTimeoutException.class);
        assertThat(door.cassandra.calls).containsExactly("process");
    }

    @Test
    void aTableThatIsEnabledAndDisabledAllTheTimeIsGivenUp() {
        disable();
        door.here = (read, terms) -> {
            disable();
            throw new RequestRefusedException(Failure.NOT_READY, "the table was disabled");
        };
        door.cassandra.whileAnswering = this::enable;

        assertThatThrownBy(() -> serve(READ)).isInstanceOf(UnavailableException.class);
        assertThat(door.cassandra.calls).hasSizeLessThan(4);
    }

    @Test
    void whoKeepsATokenIsToldThatCassandraAnsweredAndFromWhenOn() throws Exception {
        ClientRequest request = Requests.of(
                Requests.parse("SELECT v FROM ordinary WHERE k = 'a'"),
                ConsistencyLevel.QUORUM,
                Map.of(PayloadKeys.TOKEN, door.tokens.encode(7)));
        Map<String, ByteBuffer> told = door.open.serve(request).getCustomPayload();

        assertThat(told).containsKey(PayloadKeys.PLAIN);
        assertThat(door.tokens.decode(told.get(PayloadKeys.TOKEN))).isEqualTo(100);
    }

    @Test
    void whoReadsAtALevelThatIsNeverServedIsNot() {
        ClientRequest request = Requests.of(
                Requests.parse(READ), ConsistencyLevel.ONE, Map.of(PayloadKeys.TOKEN, door.tokens.encode(7)));

        assertThat(door.open.serve(request).getCustomPayload()).isNull();
    }

    @Test
    void whatWasServedAtACutIsLeftAsItIs() throws Exception {
        door.here = (read, terms) -> new FetchedPartition(null, new ReadInfo(200, Served.LOCAL, 0));
        ClientRequest request = Requests.of(
                Requests.parse(READ), ConsistencyLevel.QUORUM, Map.of(PayloadKeys.TOKEN, door.tokens.encode(7)));
        Map<String, ByteBuffer> told = door.open.serve(request).getCustomPayload();

        assertThat(told).doesNotContainKey(PayloadKeys.PLAIN);
        assertThat(door.tokens.decode(told.get(PayloadKeys.TOKEN))).isEqualTo(200);
    }
}
