/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.lanes;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.meteorshower.transactions.port.AcceptedEntry;
import org.meteorshower.transactions.port.AcceptorState;
import org.meteorshower.transactions.port.Durable;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Message;
import org.meteorshower.transactions.port.Turn;

/**
 * How a data centre whose disk is blank gets a vote again, and how the others help it to.
 *
 * <p>What the lost disk had promised and accepted, and mattered, a majority of the <em>other</em> data centres knows or
 * will never count: each of them first remembers durably that the disk is a new one, and says so in every later promise
 * and acceptance; then it tells what it has promised and accepted itself, and of which other disks it knows that they
 * are new ones. The blank one takes over the highest of each and only then votes. No lane loses its leader over it.
 */
public final class Rejoining {
    private static final long ASK_EVERY_MICROS = 200_000;

    private final Members members;
    private final Turn turn;
    private final Durability durability;
    private final Generations generations;
    private final List<Lane> lanes;
    private final long life;

    /**
     * Which process has a generation of a data centre's disk, as this one has confirmed it; it never confirms one
     * twice.
     */
    private record Confirmed(int generation, long life) {}

    private final Map<Integer, Confirmed> confirmed = new HashMap<>();

    private boolean blank;
    private boolean restoring;
    private int wanted = 2;
    private long askedMicros = Long.MIN_VALUE / 2;
    private final Map<Integer, Message.RejoinAnswer> answers = new HashMap<>();

    /** @param lives by data centre, the process that had its generation confirmed here */
    public Rejoining(
            Members members,
            Turn turn,
            Durability durability,
            Generations generations,
            List<Lane> lanes,
            long life,
            Map<Integer, Long> lives,
            boolean blank) {
        this.members = members;
        this.turn = turn;
        this.durability = durability;
        this.generations = generations;
        this.lanes = lanes;
        this.life = life;
        lives.forEach((dc, of) -> confirmed.put(dc, new Confirmed(generations.of(dc), of)));
        this.blank = blank;
    }

    /** Whether this disk holds, or has got back, every vote that counts. */
    public boolean remembers() {
        return !blank;
    }

    public void tick() {
        if (blank && !restoring && turn.micros() - askedMicros >= ASK_EVERY_MICROS) {
            askedMicros = turn.micros();
            turn.sendToOthers(new Message.Rejoin(wanted, life));
        }
    }

    public void received(Message.RejoinRefused refused) {
        if (refused.life() == life && refused.known() >= wanted && !restoring) {
            wanted = refused.known() + 1;
            answers.clear();
        }
    }

    public void received(int from, Message.RejoinAnswer answer) {
        if (blank && !restoring && answer.life() == life && answer.generation() == wanted) {
            answers.put(from, answer);
            if (answers.size() >= members.majority()) {
                restore();
            }
        }
    }

    public void received(int from, Message.Rejoin rejoin) {
        if (blank) {
            return;
        }
        int known = generations.of(from);
        // That there is such a generation may have been heard from others before the disk's own word came.
        Confirmed last = confirmed.get(from);
        boolean isTaken = last != null && last.generation() == known && last.life() != rejoin.life();
        if (rejoin.generation() < known || (rejoin.generation() == known && (isTaken || known == Generations.FIRST))) {
            turn.send(from, new Message.RejoinRefused(known, rejoin.life()));
            return;
        }
        generations.raise(from, rejoin.generation());
        confirmed.put(from, new Confirmed(rejoin.generation(), rejoin.life()));
        durability.write(
                new Durable.Generation(from, rejoin.generation(), rejoin.life()),
                () -> turn.send(
                        from,
                        new Message.RejoinAnswer(
                                rejoin.generation(),
                                rejoin.life(),
                                lanes.stream().map(Lane::acceptorState).toList(),
                                generations.all())));
    }

    private void restore() {
        restoring = true;
        generations.raise(members.self(), wanted);
        for (Message.RejoinAnswer answer : answers.values()) {
            generations.learn(answer.generations());
            lanes.forEach(lane -> restore(lane, answer.acceptors().get(lane.number())));
        }
        rememberOthers();
        // The tables are as blank as the votes were: a snapshot has to come first, also after another crash. What a
        // blank
        // disk has is edition 0, which is none.
        // One batch holds all of these: when its last record is durable, all are. Until the next one is, the disk
        // counts as blank.
        durability.write(
                new Durable.Promise(members.self(), 0),
                () -> durability.write(new Durable.Generation(members.self(), wanted, life), this::restored));
    }

    private void restore(Lane lane, AcceptorState state) {
        lane.restore(state);
        durability.write(new Durable.Promise(lane.number(), state.promised()), () -> {});
        for (AcceptedEntry entry : state.accepted()) {
            durability.write(
                    new Durable.Accept(lane.number(), entry.position(), entry.ballot(), entry.entry()), () -> {});
        }
    }

    /** Else votes of disks that were lost before this one would count again. */
    private void rememberOthers() {
        for (int dc = 0; dc < members.count(); dc++) {
            if (dc != members.self() && generations.of(dc) > Generations.FIRST) {
                durability.write(new Durable.Generation(dc, generations.of(dc), Durable.Generation.HEARD_OF), () -> {});
            }
        }
    }

    private void restored() {
        blank = false;
        turn.alarm(Effect.AlarmKind.REJOINED, "a blank disk has got its votes back, as generation " + wanted);
    }
}
