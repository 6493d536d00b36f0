/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meteorshower.simulator.Trace;

/**
 * One run. Deterministic: the plan decides everything. Clients work while faults happen; then everything is mended, and
 * each data centre must soon lead its own lane and answer a new client.
 */
final class Simulation {
    /** In which everything must work again once all faults have healed. */
    static final long SETTLED_WITHIN_MICROS = 70_000_000;

    private static final long LOOK_EVERY_MICROS = 100_000;
    private static final long CLIENTS_BEGIN_MICROS = 200_000;

    /** Tables are looked through page by page. */
    private static final long TIDY_WITHIN_MICROS = 200_000_000;

    private final Plan plan;
    private final World world;
    private final Work work;
    private final FaultInjector faults;
    private final List<Client> clients = new ArrayList<>();
    private final List<SimulationResult.Finished> finished = new ArrayList<>();
    private int probesLeft;
    private long settledAfterMicros;

    Simulation(Plan plan, Trace trace) {
        this.plan = plan;
        this.world = new World(plan, trace);
        this.work = new Work(plan);
        this.faults = new FaultInjector(world, world.random.split());
        for (int dc = 0; dc < plan.dcs(); dc++) {
            for (int i = 0; i < plan.work().clientsPerDc(); i++) {
                addClient(dc, false);
            }
            for (int i = 0; i < plan.load().clientsPerDc(); i++) {
                addClient(dc, true);
            }
        }
    }

    private Client addClient(int dc, boolean isLoader) {
        int number = clients.size();
        Client client = new Client(
                number,
                dc,
                world,
                work,
                world.random.split(),
                isLoader,
                operation -> finished.add(new SimulationResult.Finished(number, dc, operation)));
        clients.add(client);
        return client;
    }

    World world() {
        return world;
    }

    FaultInjector faults() {
        return faults;
    }

    /** Nobody knows whether it took effect, and somebody may have seen it. */
    private void addPending() {
        for (int number = 0; number < clients.size(); number++) {
            Operation pending = clients.get(number).pending();
            if (pending != null) {
                finished.add(new SimulationResult.Finished(number, pending.dc, pending));
            }
        }
    }

    SimulationResult run() {
        String stall = null;
        String thrown = null;
        try {
            stall = play();
        } catch (IllegalStateException e) {
            thrown = "the core gave up: " + e.getMessage() + " at " + e.getStackTrace()[0];
            addPending();
        }
        if (stall == null && (plan.load().deletes() > 0 || plan.work().ends() > 0)) {
            world.dcs.forEach(dc -> world.verifier.usersSee(dc.number, dc.disk.tables));
        }
        world.dcs.forEach(dc -> world.verifier.streams(dc.number, dc.disk.changes));
        String violation = world.verifier.judge();
        return new SimulationResult(
                finished,
                violation == null ? thrown : violation,
                world.verifier.audit(),
                stall,
                world.verifier.executedCount(),
                world.steps,
                world.scheduler.nowMicros(),
                settledAfterMicros,
                world.alarms);
    }

    private @Nullable String play() {
        begin();
        faults.plan();
        long endMicros = world.scheduler.nowMicros() + plan.work().lastsMicros();
        runUntil(endMicros, () -> false);
        clients.forEach(Client::stop);
        faults.calm();
        long calmMicros = world.scheduler.nowMicros();
        long deadline = calmMicros + SETTLED_WITHIN_MICROS;
        runUntil(
                deadline,
                () -> clients.stream().noneMatch(client -> client.busy) && ownersLead() && faults.areUpgraded());
        probe();
        runUntil(deadline, () -> probesLeft == 0 && world.verifier.hasSeenAllAcknowledged());
        settledAfterMicros = world.scheduler.nowMicros() - calmMicros;
        if (probesLeft > 0) {
            return complaint();
        } else if (plan.replacesPlugins() && (!faults.areUpgraded() || world.mail.fronted() == 0)) {
            return "not all data centres use the newest format, or nothing was proposed in it";
        } else if (plan.load().deletes() == 0 && plan.work().ends() == 0) {
            return null;
        }
        runUntil(world.scheduler.nowMicros() + TIDY_WITHIN_MICROS, this::isTidy);
        return isTidy() ? null : untidy();
    }

    /** Whether all that was deleted is gone from the tables, in which is all that was executed. */
    private boolean isTidy() {
        return world.dcs.stream().allMatch(dc -> {
            Representative process = dc.current();
            return process != null
                    && process.core().isWhole()
                    && process.core().isWrittenBehind()
                    && dc.disk.needlesslyAbsent() == 0
                    && dc.disk.expiring() == 0;
        });
    }

    private String untidy() {
        StringBuilder text = new StringBuilder("what was deleted leaves a trace for ever, or what ends does not:");
        for (DataCentre dc : world.dcs) {
            Representative process = dc.current();
            text.append(" d")
                    .append(dc.number)
                    .append(" has ")
                    .append(dc.disk.needlesslyAbsent())
                    .append(" absent rows, ")
                    .append(dc.disk.expiring())
                    .append(" of which something ends, ");
            text.append(
                    process == null
                            ? "is down"
                            : "lags " + process.core().usage().lagBytes() + " bytes");
        }
        return text.toString();
    }

    /** Processes start, and clients; one of them sets the bank up. */
    void begin() {
        world.dcs.forEach(DataCentre::start);
        world.scheduler.after(
                CLIENTS_BEGIN_MICROS, () -> clients.get(0).begin(work.setUp(world.scheduler.nowMicros())));
        for (Client client : clients.subList(1, clients.size())) {
            world.scheduler.after(CLIENTS_BEGIN_MICROS + world.random.nextInt(20_000), client::next);
        }
    }

    interface Condition {
        boolean holds();
    }

    void runUntil(long micros, Condition done) {
        long look = 0;
        while (world.scheduler.nowMicros() < micros && world.scheduler.step()) {
            if (world.scheduler.nowMicros() >= look) {
                if (done.holds()) {
                    return;
                }
                look = world.scheduler.nowMicros() + LOOK_EVERY_MICROS;
            }
        }
    }

    private boolean ownersLead() {
        return world.dcs.stream().allMatch(dc -> {
            Representative process = dc.current();
            return process != null && process.core().leads(dc.number);
        });
    }

    /**
     * A new client at each data centre, which is to be answered once. To be refused is no answer: it may go on for
     * ever.
     */
    private void probe() {
        for (int dc = 0; dc < plan.dcs(); dc++) {
            probesLeft++;
            Client[] self = new Client[1];
            int number = clients.size();
            self[0] = new Client(number, dc, world, work, world.random.split(), false, operation -> {
                finished.add(new SimulationResult.Finished(number, number % plan.dcs(), operation));
                if (operation.answeredMicros >= 0) {
                    self[0].stop();
                    probesLeft--;
                }
            });
            clients.add(self[0]);
            self[0].next();
        }
    }

    private String complaint() {
        StringBuilder text = new StringBuilder();
        for (DataCentre dc : world.dcs) {
            Representative process = dc.current();
            text.append(" d")
                    .append(dc.number)
                    .append(
                            process == null
                                    ? " is down"
                                    : " stands at " + process.core().checkpoint()
                                            + (process.core().leads(dc.number) ? ", leads" : ", does not lead")
                                            + " its lane");
        }
        return probesLeft + " data centres answered no new client within " + SETTLED_WITHIN_MICROS / 1_000_000
                + " s after all faults had healed:" + text;
    }
}
