/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.Now;
import org.meteorshower.transactions.log.Ballot;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.port.AcceptedEntry;
import org.meteorshower.transactions.port.AcceptorState;
import org.meteorshower.transactions.port.Durable;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Message;
import org.meteorshower.transactions.port.Recovery;
import org.meteorshower.transactions.port.Settings;
import org.meteorshower.transactions.port.Turn;

class RejoiningTest {
    private static final long LIFE = 7;
    private static final long THEIRS = Ballot.of(3, 1, 1);

    private final Members members = new Members(0, 3);
    private final Turn turn = new Turn(members);
    private final Durability durability = new Durability(turn, LIFE);
    private final List<Lane> lanes = new ArrayList<>();
    private final Generations generations =
            new Generations(List.of(1, 1, 1), dc -> lanes.forEach(lane -> lane.diskLost(dc)));
    private long batches;

    @BeforeEach
    void begin() {
        turn.begin(new Now(0, 0));
    }

    private Rejoining rejoining(boolean blank) {
        Rejoining rejoining = new Rejoining(members, turn, durability, generations, lanes, LIFE, Map.of(), blank);
        for (int lane = 0; lane < 3; lane++) {
            lanes.add(new Lane(
                    lane,
                    members,
                    Settings.DEFAULT,
                    turn,
                    durability,
                    generations,
                    rejoining::remembers,
                    Recovery.founding(3, LIFE),
                    (number, position, entry) -> {}));
        }
        return rejoining;
    }

    private List<Durable> persisted() {
        durability.flush();
        List<Durable> records = new ArrayList<>();
        for (Effect effect : turn.end()) {
            if (effect instanceof Effect.Persist persist) {
                records.addAll(persist.records());
            }
        }
        turn.begin(new Now(0, 0));
        durability.persisted(++batches);
        return records;
    }

    private static Message.RejoinAnswer answer(long promised) {
        AcceptorState state =
                new AcceptorState(promised, 0, List.of(new AcceptedEntry(4, THEIRS, new Entry(1, THEIRS, List.of()))));
        return new Message.RejoinAnswer(2, LIFE, List.of(state, state, state), List.of(1, 1, 3));
    }

    @Test
    void aBlankDiskVotesWhenAMajorityOfTheOthersHasToldAndThatIsDurable() {
        Rejoining rejoining = rejoining(true);
        rejoining.received(1, answer(THEIRS));
        assertThat(rejoining.remembers()).isFalse();
        rejoining.received(2, answer(THEIRS + 1));
        assertThat(rejoining.remembers()).isFalse();
        assertThat(persisted()).contains(new Durable.Promise(0, THEIRS + 1), new Durable.Generation(2, 3, 0));
        assertThat(rejoining.remembers()).isFalse();
        assertThat(persisted()).containsExactly(new Durable.Generation(0, 2, LIFE));

        assertThat(rejoining.remembers()).isTrue();
        assertThat(lanes.get(0).acceptorState().promised()).isEqualTo(THEIRS + 1);
        assertThat(lanes.get(0).acceptorState().accepted()).hasSize(1);
        assertThat(generations.all()).containsExactly(2, 1, 3);
    }

    @Test
    void theOthersRememberTheNewDiskBeforeTheyTell() {
        Rejoining rejoining = rejoining(false);
        rejoining.received(1, new Message.Rejoin(2, 9));
        assertThat(generations.of(1)).isEqualTo(2);
        assertThat(turn.end()).noneMatch(Effect.Send.class::isInstance);
        assertThat(persisted()).containsExactly(new Durable.Generation(1, 2, 9));

        assertThat(turn.end())
                .hasSize(1)
                .allMatch(effect -> effect instanceof Effect.Send send
                        && send.to() == 1
                        && send.message() instanceof Message.RejoinAnswer);
    }

    @Test
    void aGenerationThatIsTakenIsRefusedAndTheNextOneAskedFor() {
        Rejoining rejoining = rejoining(false);
        rejoining.received(1, new Message.Rejoin(2, 9));
        persisted();
        turn.end();
        turn.begin(new Now(0, 0));

        rejoining.received(1, new Message.Rejoin(2, 10));

        assertThat(turn.end()).containsExactly(new Effect.Send(1, new Message.RejoinRefused(2, 10), false));
    }

    /**
     * Otherwise both that have heard of it from each other before its own word came would refuse it, and the next one,
     * for ever.
     */
    @Test
    void aGenerationThatWasOnlyHeardOfIsConfirmedToTheFirstThatAsks() {
        Rejoining rejoining = rejoining(false);
        generations.raise(1, 2);

        rejoining.received(1, new Message.Rejoin(2, 9));

        assertThat(persisted()).containsExactly(new Durable.Generation(1, 2, 9));
        assertThat(turn.end())
                .singleElement()
                .matches(effect -> effect instanceof Effect.Send send
                        && send.message() instanceof Message.RejoinAnswer answer
                        && answer.life() == 9);
    }

    /** The first process may count on it, and has perhaps voted since. */
    @Test
    void aGenerationThatWasConfirmedToOneLifeIsRefusedToAnother() {
        Rejoining rejoining = rejoining(false);
        generations.raise(1, 2);
        rejoining.received(1, new Message.Rejoin(2, 9));
        persisted();
        turn.end();
        turn.begin(new Now(0, 0));

        rejoining.received(1, new Message.Rejoin(2, 10));

        assertThat(persisted()).isEmpty();
        assertThat(generations.of(1)).isEqualTo(2);
    }

    @Test
    void whoAsksAgainUnderItsOwnGenerationIsToldAgain() {
        Rejoining rejoining = rejoining(false);
        rejoining.received(1, new Message.Rejoin(2, 9));
        persisted();

        rejoining.received(1, new Message.Rejoin(2, 9));

        assertThat(persisted()).containsExactly(new Durable.Generation(1, 2, 9));
    }

    /** The first one was never lost: it is what a founded data centre has. */
    @Test
    void theGenerationOfAFoundedDataCentreIsNotConfirmedToABlankDisk() {
        Rejoining rejoining = rejoining(false);

        rejoining.received(1, new Message.Rejoin(1, 9));

        assertThat(turn.end()).containsExactly(new Effect.Send(1, new Message.RejoinRefused(1, 9), false));
    }

    @Test
    void whatWasVotedBelowWhatOthersHoldInMemoryIsBarredAndNotDeleted() {
        Rejoining rejoining = rejoining(true);
        AcceptorState state = new AcceptorState(THEIRS, 40, List.of());
        Message.RejoinAnswer answer = new Message.RejoinAnswer(2, LIFE, List.of(state, state, state), List.of());

        rejoining.received(1, answer);
        rejoining.received(2, answer);

        assertThat(persisted()).contains(new Durable.Barred(0, 40)).noneMatch(Durable.Truncate.class::isInstance);
    }

    @Test
    void aBlankDiskTellsNobodyWhatItDoesNotKnow() {
        Rejoining rejoining = rejoining(true);
        rejoining.received(1, new Message.Rejoin(2, 9));

        assertThat(turn.end()).isEmpty();
    }
}
