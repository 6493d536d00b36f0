/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator;

import java.util.SplittableRandom;
import org.meteorshower.transactions.log.Formats;

/**
 * Nodes get a newer plugin, one data centre after the other, while clients work, and some the earlier one back as long
 * as they may; meanwhile somebody asks for what only the newer one has. In the end all have the newer one.
 */
final class Upgrades {
    /** Of the release before there were fronts. */
    static final Formats EARLIER = new Formats(Formats.FIRST, Formats.PROPOSES_ENDS);

    private static final long WISH_EVERY_MICROS = 200_000;
    private static final int NEWEST = Formats.ALL.newest();

    private final World world;
    private final FaultInjector faults;

    /** Drawn apart from all else. */
    private final SplittableRandom random;

    private boolean ended;

    Upgrades(World world, FaultInjector faults) {
        this.world = world;
        this.faults = faults;
        this.random = new SplittableRandom(world.plan.seed() ^ 0x09c4ade);
    }

    void plan() {
        DataCentre last = world.dcs.get(random.nextInt(world.dcs.size()));
        for (DataCentre dc : world.dcs) {
            long at = random.nextLong(800_000) + (dc == last ? random.nextLong(3_000_000) : 0);
            world.scheduler.after(at, () -> install(dc, Formats.ALL));
            if (random.nextInt(3) == 0) {
                long back = at + random.nextLong(2_000_000);
                world.scheduler.after(back, () -> install(dc, EARLIER));
                world.scheduler.after(back + random.nextLong(1_500_000), () -> install(dc, Formats.ALL));
            }
        }
        world.scheduler.after(random.nextLong(1_500_000), () -> wish(random.nextInt(world.dcs.size())));
    }

    /** What is noted already is not to be given up: operators are told so. */
    private void install(DataCentre dc, Formats formats) {
        if (!ended && !dc.known.equals(formats) && formats.know(dc.disk.format())) {
            replace(dc, formats, 20_000 + random.nextLong(400_000));
        }
    }

    private void replace(DataCentre dc, Formats formats, long downMicros) {
        world.note("d" + dc.number + " gets a plugin that knows " + formats);
        dc.known = formats;
        faults.kill(dc, downMicros);
    }

    /** A client asks, and asks again. */
    private void wish(int at) {
        Representative process = world.dcs.get(at).current();
        FormatTalk formats = process == null ? null : process.formats();
        if (formats != null) {
            formats.want();
        }
        if (!areDone()) {
            world.scheduler.after(WISH_EVERY_MICROS, () -> wish(ended ? random.nextInt(world.dcs.size()) : at));
        }
    }

    /** Whether all use the newest format. */
    boolean areDone() {
        return world.dcs.stream().allMatch(dc -> dc.disk.format() == NEWEST);
    }

    /** All get the newer plugin. */
    void end() {
        ended = true;
        for (DataCentre dc : world.dcs) {
            if (!dc.known.equals(Formats.ALL)) {
                replace(dc, Formats.ALL, 1_000);
            }
        }
    }
}
