/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator;

/** Faults that chance would hardly bring together: each shows one mistake. Times are since the schedule began. */
final class Schedules {
    private final World world;
    private final FaultInjector faults;

    Schedules(World world, FaultInjector faults) {
        this.world = world;
        this.faults = faults;
    }

    /**
     * The last data centre is away for so long that the first one truncates without it; the second one stands still
     * just before it would. The last one, back, hears the first and is not heard, so that nobody helps it; it believes
     * that it has kept up, and asks for its lane: that passes. The first promises, and is not heard any more; the
     * second goes on, and still has what is needed to execute. A leader that takes what the first has no more for holes
     * now executes something else than the others did.
     */
    void returnBelowFloor() {
        DataCentre first = world.dcs.get(0);
        DataCentre second = world.dcs.get(1);
        DataCentre last = world.dcs.get(2);
        long back = world.plan.settings().deadMicros() + 700_000;
        long asks = back + world.plan.settings().handBackMicros();
        long promised = asks + 70_000 + world.network.delayMicros(last.number, first.number);
        faults.kill(last, back);
        world.scheduler.after(back, () -> faults.cutFor(last.number, first.number, asks - 10_000 - back));
        world.scheduler.after(asks + 60_000, () -> faults.cutFor(last.number, first.number, promised - asks));
        world.scheduler.after(700_000, () -> faults.pause(second, promised - 700_000));
        world.scheduler.after(promised, () -> faults.cutFor(first.number, last.number, 1_000_000));
    }

    /**
     * Of five data centres the first one stands still, after all that it has proposed has arrived; the last one is cut
     * off from the three in the middle, which take the first one's lane over, decide, and fall silent when the second
     * is cut off too. The first goes on, still believes that it leads, and learns from the third what was decided; then
     * it hears the last one as well, and proposes. A leader that goes on where others have decided tells the last one,
     * which has missed that, to take its proposal for decided.
     */
    void deposeWhileIdle() {
        int first = 0;
        int second = 1;
        int third = 2;
        int fourth = 3;
        int last = 4;
        for (int middle = second; middle < last; middle++) {
            cut(middle, first, 0, middle == third ? 3_160_000 : 5_000_000);
            cut(first, middle, 150_000, middle == third ? 3_250_000 : 5_000_000);
            cut(middle, last, 0, 5_000_000);
            cut(last, middle, 0, 5_000_000);
            cut(second, middle, 1_400_000, 5_000_000);
            cut(middle, second, 1_400_000, 5_000_000);
        }
        // Else the third would pass over who leads together with the fourth and the first, and so tell it of that.
        cut(third, fourth, 2_000_000, 5_000_000);
        cut(fourth, third, 2_000_000, 5_000_000);
        cut(last, first, 0, 3_580_000);
        world.scheduler.after(150_000, () -> faults.pause(world.dcs.get(first), 3_000_000));
    }

    /** Slow disks make it likely that each data centre is in the midst of writing rows. */
    void outage(long downMicros) {
        world.note("all disks are slow");
        world.dcs.forEach(dc -> dc.diskSlowness = 40);
        world.scheduler.after(800_000, () -> {
            for (DataCentre dc : world.dcs) {
                dc.diskSlowness = 1;
                faults.kill(dc, downMicros);
            }
        });
    }

    private void cut(int from, int to, long beginMicros, long endMicros) {
        world.scheduler.after(beginMicros, () -> faults.cutFor(from, to, endMicros - beginMicros));
    }
}
