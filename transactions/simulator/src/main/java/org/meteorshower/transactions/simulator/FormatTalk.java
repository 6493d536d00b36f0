/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.log.FormatUse;
import org.meteorshower.transactions.log.Formats;
import org.meteorshower.transactions.port.Event;
import org.meteorshower.transactions.port.Message;

/**
 * What a process says of formats, twice a second, and hears of others; with whom it exchanges anything; and when its
 * data centre goes on to the next format, as nodes do it.
 */
final class FormatTalk {
    private static final long EVERY_MICROS = 500_000;
    private static final long RECENT_MICROS = 2_000_000;

    private record Said(int dc, FormatUse use, long micros) {}

    private final DataCentre dc;
    private final World world;
    private final long life;
    private final Representative process;

    /** By the life of who said it. */
    private final Map<Long, Said> said = new HashMap<>();

    private FormatUse own;
    private boolean isWanted;
    private boolean isNoting;

    FormatTalk(DataCentre dc, World world, long life, Representative process) {
        this.dc = dc;
        this.world = world;
        this.life = life;
        this.process = process;
        this.own = new FormatUse(dc.known, dc.disk.format());
    }

    void begin() {
        process.happens(new Event.UsesFormat(own.used()));
        look();
    }

    private void look() {
        if (!process.isAlive()) {
            return;
        }
        if (!process.isPaused()) {
            announce();
            goOn();
        }
        world.scheduler.after(EVERY_MICROS, this::look);
    }

    private void announce() {
        FormatUse now = own;
        for (DataCentre other : world.dcs) {
            if (other != dc) {
                world.network.send(dc.number, other.number, () -> other.hears(dc.number, life, now));
            }
        }
    }

    /** It is noted before the others hear of it. */
    private void goOn() {
        List<@Nullable FormatUse> all = new ArrayList<>();
        for (DataCentre each : world.dcs) {
            all.add(each == dc ? own : lately(each.number));
        }
        int next = isNoting ? 0 : own.next(all, isWanted);
        if (next != 0) {
            isNoting = true;
            world.note("d" + dc.number + " goes on to format " + next);
            world.scheduler.after(dc.diskMicros(1), () -> {
                dc.disk.note(next);
                isNoting = false;
                if (process.isAlive()) {
                    own = new FormatUse(own.known(), next);
                    process.happens(new Event.UsesFormat(next));
                    announce();
                }
            });
        }
    }

    private @Nullable FormatUse lately(int of) {
        Said last = youngest(of);
        return last == null || world.scheduler.nowMicros() - last.micros > RECENT_MICROS ? null : last.use;
    }

    private @Nullable Said youngest(int of) {
        Said youngest = null;
        long itsLife = -1;
        for (Map.Entry<Long, Said> each : said.entrySet()) {
            if (each.getValue().dc == of && each.getKey() > itsLife) {
                itsLife = each.getKey();
                youngest = each.getValue();
            }
        }
        return youngest;
    }

    /** A client asks for what only a later format has. */
    void want() {
        isWanted = true;
    }

    void hears(int from, long itsLife, FormatUse use) {
        said.put(itsLife, new Said(from, use, world.scheduler.nowMicros()));
    }

    /** Whether to send anything to a data centre's process. */
    boolean fits(int to) {
        Said last = youngest(to);
        return to == dc.number || (last != null && own.fits(last.use));
    }

    /** Whether to take what a process sends; and if so, whether it can be read is looked at. */
    boolean takes(int from, long itsLife, Message message) {
        Said last = said.get(itsLife);
        if (last == null || !own.fits(last.use)) {
            return false;
        }
        if (!own.known().know(Formats.PROPOSES_FRONTS) && Mail.hasFronts(message)) {
            world.verifier.broken(
                    "d" + dc.number + ", which knows " + own.known() + ", takes an entry with fronts from d" + from);
        }
        return true;
    }
}
