/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator.servers;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meteorshower.simulator.Scheduler;
import org.meteorshower.transactions.chains.Requests;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.SessionId;
import org.meteorshower.transactions.log.Version;
import org.meteorshower.transactions.merge.Merged;
import org.meteorshower.transactions.servers.Assignment;
import org.meteorshower.transactions.servers.ChainMessage;
import org.meteorshower.transactions.servers.Division;
import org.meteorshower.transactions.servers.Placed;
import org.meteorshower.transactions.servers.RangeServer;

/** One run of a data centre's chain servers, and what is wrong with it. */
public final class ServersWorld {
    private static final long TICK_MICROS = 5_000;
    static final long NOTICED_MICROS = 150_000;
    private static final int SLOWNESS = 20;

    /** In which all must have ended once all nodes are well. */
    private static final long SETTLED_WITHIN_MICROS = 30_000_000;

    final ServersPlan plan;
    final Division division;
    final Scheduler scheduler = new Scheduler();
    final SplittableRandom random;
    final CheckedTables tables;
    private final MergedWork work;
    private final FrontedWork fronted;

    /** As it must be executed. */
    private final List<Merged> order = new ArrayList<>();

    final SerialOrder serial;
    private final SimulatedNet net;
    private final List<SimulatedServers> nodes = new ArrayList<>();
    private final Set<Long> ended = new HashSet<>();

    /** By the first range that they touch, how long after it was decided the slowest transaction had ended. */
    private final Map<Integer, Long> slowestMicros = new TreeMap<>();

    private final @Nullable Consumer<String> lines;
    private final long beginMicros;
    private Assignment newest;
    private @Nullable SimulatedSequencer sequencing;

    /** One that was replaced, and does not know; null where there is none. */
    private @Nullable SimulatedSequencer replaced;

    private long sequencerLives;
    private long durable;
    private long durableDigest;
    private @Nullable String violation;
    private long messages;
    private long handed;
    private long mostBytes;
    private long begunAnew;
    private long settledMicros;

    /** @param lines gets the transcript; null where nobody reads it */
    public ServersWorld(ServersPlan plan, @Nullable Consumer<String> lines) {
        this.plan = plan;
        this.lines = lines;
        this.random = new SplittableRandom(~plan.seed());
        this.net = new SimulatedNet(this);
        this.division = MergedWork.division(plan.ranges());
        this.work = new MergedWork(plan);
        this.fronted = new FrontedWork(plan, division, this::broken);
        this.serial = new SerialOrder(work.before());
        this.tables = new CheckedTables(serial, this::broken);
        this.beginMicros = scheduler.nowMicros();
        List<Integer> dealt = new ArrayList<>();
        for (int range = 0; range < plan.ranges(); range++) {
            dealt.add(range % plan.nodes());
        }
        this.newest = new Assignment(0, dealt);
        for (int node = 0; node < plan.nodes(); node++) {
            nodes.add(new SimulatedServers(node, this, newest));
        }
    }

    /** What is wrong; null where nothing is. */
    public @Nullable String violation() {
        return violation;
    }

    /** Whether all has ended in time. */
    public boolean isSettled() {
        return order.size() >= plan.entries() && durable == order.size() && !serial.isEnding();
    }

    /** Transactions of which some sequencer has heard the outcome. */
    public long transactions() {
        return ended.size();
    }

    /** Where it stands. */
    public String summary() {
        return String.format(
                Locale.ROOT,
                "%d transactions, %d of %d entries, K %d, %d messages (%d between ranges) in %d"
                        + " packets, begun anew %d times, most %d"
                        + " of %d bytes, settled after %.1f s",
                ended.size(),
                sequencing == null ? -1 : sequencing.count(),
                order.size(),
                durable,
                messages,
                handed,
                net.packets(),
                begunAnew,
                mostBytes,
                plan.budget(),
                settledMicros / 1e6);
    }

    /** Runs to the end, or to the first thing that is wrong. */
    public void run() {
        startSequencer();
        plan.faults().forEach(fault -> scheduler.after(fault.atMicros(), () -> begins(fault)));
        scheduler.after(0, this::tick);
        scheduler.after(plan.cutMicros(), this::cut);
        long lasts = plan.entries() * plan.epochMicros();
        for (ServersPlan.Fault fault : plan.faults()) {
            lasts = Math.max(lasts, fault.atMicros() + fault.forMicros());
        }
        long deadline = beginMicros + lasts + SETTLED_WITHIN_MICROS;
        try {
            while (violation == null && !isSettled() && scheduler.nowMicros() < deadline) {
                scheduler.step();
            }
        } catch (IllegalStateException e) {
            broken("the core gave up: " + e.getMessage());
        }
        settledMicros = scheduler.nowMicros() - beginMicros - lasts;
        if (violation == null && isSettled()) {
            tables.check(order.size());
            tables.checkUsers();
        }
    }

    private void note(String what) {
        if (lines != null) {
            lines.accept(String.format(Locale.ROOT, "%9.3f ms  %s", (scheduler.nowMicros() - beginMicros) / 1e3, what));
        }
    }

    void broken(String what) {
        violation = violation == null ? what : violation;
    }

    // --- time --------------------------------------------------------------------------------------------------------

    private void tick() {
        nodes.forEach(SimulatedServers::tick);
        SimulatedSequencer now = sequencing;
        if (now != null) {
            now.tick();
        }
        SimulatedSequencer earlier = replaced;
        if (earlier != null) {
            earlier.tick();
            earlier.cut();
        }
        scheduler.after(TICK_MICROS, this::tick);
    }

    private void cut() {
        SimulatedSequencer now = sequencing;
        if (now != null) {
            now.cut();
        }
        scheduler.after(plan.cutMicros(), this::cut);
    }

    @Nullable
    Placed decided(long count) {
        while (count >= order.size() && scheduler.nowMicros() - beginMicros >= order.size() * plan.epochMicros()) {
            SimulatedSequencer now = sequencing;
            Set<Request.ExpireRows> ends = now == null ? Set.of() : now.proposed();
            if (order.size() >= plan.entries() && ends.isEmpty()) {
                return null;
            }
            Merged executed = fronted.add(work.next(SimulatedEnds.millis(scheduler), ends), ends.size());
            order.add(executed);
            serial.add(executed);
            if (now != null) {
                now.proposed().clear();
            }
        }
        return count < order.size() ? fronted.at(count) : null;
    }

    /** K, as it is noted durably. */
    long durable() {
        return durable;
    }

    long diskMicros() {
        return 100 + random.nextLong(plan.diskMicros());
    }

    // --- the sequencer -----------------------------------------------------------------------------------------------

    private void startSequencer() {
        sequencing = new SimulatedSequencer(this, ++sequencerLives, durable, durableDigest);
    }

    void ended(long count, int index) {
        if (ended.add(Version.of(count, index))) {
            long micros = scheduler.nowMicros() - beginMicros - count * plan.epochMicros();
            slowestMicros.merge(firstRange(count, index), micros, Math::max);
        }
    }

    /** Not for a sequencer that was replaced. */
    void makeDurable(long life, long count, long digest) {
        SimulatedSequencer now = sequencing;
        if (now != null && life == sequencerLives) {
            note("K is " + count);
            durable = count;
            durableDigest = digest;
            tables.check(count);
            now.isDurable(count);
        }
    }

    Request request(long count, int index) {
        return order.get((int) count).entry().submissions().get(index).request();
    }

    private int firstRange(long count, int index) {
        Merged merged = order.get((int) count);
        Requests requests = new Requests(
                request(count, index),
                new SessionId(merged.lane(), merged.position(), index),
                Version.of(count, index));
        return requests.rows().isEmpty() ? -1 : division.rangeOf(requests.rows().first());
    }

    /** By the first range that they touch, how long after it was decided the slowest transaction had ended. */
    Map<Integer, Long> slowestMicros() {
        return slowestMicros;
    }

    // --- messages ----------------------------------------------------------------------------------------------------

    /** From a sequencer. */
    void send(ChainMessage message) {
        send(SimulatedNet.SEQUENCER, newest, message);
    }

    /** @param from a node, or {@link SimulatedNet#SEQUENCER} */
    void send(int from, Assignment believed, ChainMessage message) {
        messages++;
        tables.said(message);
        int range = message.to();
        handed += message instanceof ChainMessage.Handed && range >= 0 ? 1 : 0;
        net.send(from, range < 0 ? SimulatedNet.SEQUENCER : believed.servers().get(range), message);
    }

    void deliver(int to, ChainMessage message) {
        if (lines != null && !(message instanceof ChainMessage.Progress)) {
            note((to < 0 ? "sequencer" : "node " + to + " range " + message.to()) + " hears " + message);
        }
        if (to >= 0) {
            nodes.get(to).deliver(message);
            return;
        }
        SimulatedSequencer now = sequencing;
        if (now != null) {
            now.received(message);
        }
        SimulatedSequencer earlier = replaced;
        if (earlier != null) {
            earlier.received(message);
        }
    }

    // --- budgets -----------------------------------------------------------------------------------------------------

    void looked(int node, int range, RangeServer server) {
        long bytes = server.bytes();
        begunAnew = Math.max(begunAnew, server.life().begun());
        mostBytes = Math.max(mostBytes, bytes);
        if (bytes > plan.budget()) {
            broken("node " + node + " holds " + bytes + " bytes for range " + range + " of " + plan.budget());
        }
    }

    // --- faults ------------------------------------------------------------------------------------------------------

    private void begins(ServersPlan.Fault fault) {
        SimulatedServers node = nodes.get(fault.node());
        note(fault.toString());
        switch (fault.what()) {
            case DIES -> {
                node.die();
                scheduler.after(NOTICED_MICROS, () -> replace(fault.node()));
                scheduler.after(fault.forMicros(), () -> node.start(newest));
            }
            case PAUSES -> {
                node.pause();
                scheduler.after(NOTICED_MICROS, () -> replace(fault.node()));
                scheduler.after(fault.forMicros(), node::goOn);
            }
            case LOSES_A_RANGE -> {
                int range = random.nextInt(plan.ranges());
                SimulatedServers loser = nodes.get(newest.servers().get(range));
                if (plan.losersAreSlow()) {
                    slowDisk(loser, fault.forMicros());
                }
                assign(newest.with(range, (fault.node() + 1 + random.nextInt(plan.nodes() - 1)) % plan.nodes()));
            }
            case HAS_A_SLOW_DISK -> slowDisk(node, fault.forMicros());
            case SEQUENCER_DIES -> {
                sequencing = null;
                scheduler.after(NOTICED_MICROS, () -> {
                    if (sequencing == null) {
                        startSequencer();
                    }
                });
            }
            case SEQUENCER_IS_REPLACED -> {
                SimulatedSequencer standing = sequencing;
                if (standing != null) {
                    startSequencer();
                    scheduler.after(random.nextLong(300_000), () -> replaced = standing);
                    scheduler.after(fault.forMicros(), () -> replaced = null);
                }
            }
        }
    }

    private void slowDisk(SimulatedServers node, long micros) {
        node.slowDisk(SLOWNESS);
        scheduler.after(micros, () -> node.slowDisk(1));
    }

    /** Its ranges go to others, if it has not come back. */
    private void replace(int node) {
        List<Integer> living = new ArrayList<>();
        for (int other = 0; other < plan.nodes(); other++) {
            if (other != node && nodes.get(other).isWell()) {
                living.add(other);
            }
        }
        if (!nodes.get(node).isWell() && !living.isEmpty()) {
            assign(newest.without(node, living));
        }
    }

    /** All hear of it, each at its own time. */
    private void assign(Assignment next) {
        note("assignment " + next);
        newest = next;
        for (SimulatedServers node : nodes) {
            long late = random.nextInt(3) == 0 ? random.nextLong(plan.newsMicros()) : random.nextLong(5_000);
            scheduler.after(late, () -> node.assigned(next));
            scheduler.after(1_500_000 + late, () -> node.assigned(newest));
        }
    }
}
