/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.Catenae;
import org.meteorshower.transactions.language.Digest;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.log.Formats;
import org.meteorshower.transactions.port.ChangedRow;
import org.meteorshower.transactions.port.Changes;
import org.meteorshower.transactions.port.Checkpoint;
import org.meteorshower.transactions.port.Durable;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Event;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Observer;
import org.meteorshower.transactions.port.Recovery;
import org.meteorshower.transactions.port.RowWrite;
import org.meteorshower.transactions.port.StoredRow;
import org.meteorshower.transactions.simulator.shelves.Shelves;

/**
 * A core that runs, and what carries out its effects. Its death takes what is not durable, and half of what was on its
 * way there.
 */
final class Representative {
    private static final long LONGEST_TICK_MICROS = 10_000;

    /** What reading a page costs, in mutations. */
    private static final int DISK_READ = 1;

    /** So many rows of the change stream are one mutation. */
    private static final int CHANGES_TOGETHER = 16;

    /** Cuts wait for the stream now and then. */
    private static final long LONGEST_CHANGES_MICROS = 500_000;

    /** Users' tables are looked through page by page. */
    private static final long LONGEST_LOOK_MICROS = 400_000;

    private final DataCentre dc;
    private final World world;
    private final SplittableRandom random;

    /** Drawn apart from all else. */
    private final SplittableRandom changing;

    private final long life;
    private final Catenae core;
    private final Interpreter interpreter = new Interpreter();
    private final ArrayDeque<Event> held = new ArrayDeque<>();
    private final ArrayDeque<Runnable> heldWrites = new ArrayDeque<>();
    private final @Nullable FormatTalk formats;

    private boolean alive = true;
    private boolean paused;

    Representative(DataCentre dc, World world, SplittableRandom random, Recovery recovery) {
        this.dc = dc;
        this.world = world;
        this.random = random;
        this.changing = new SplittableRandom(~world.plan.seed() + 31 * recovery.life());
        this.life = recovery.life();
        this.core = new Catenae(
                new Members(dc.number, world.plan.dcs()),
                world.plan.settings(),
                recovery,
                row -> Digest.mix(0, row),
                new Audited());
        this.formats = world.plan.replacesPlugins() ? new FormatTalk(dc, world, life, this) : null;
        world.verifier.begins(dc.number, core.checkpoint());
    }

    Catenae core() {
        return core;
    }

    boolean isPaused() {
        return paused;
    }

    boolean isAlive() {
        return alive;
    }

    void begin() {
        if (formats != null) {
            formats.begin();
        } else if (dc.disk.format() >= Formats.PROPOSES_FRONTS) {
            happens(new Event.UsesFormat(dc.disk.format()));
        }
        happens(new Event.Tick());
        tickLater();
    }

    private void tickLater() {
        if (alive) {
            world.scheduler.after(Math.min(LONGEST_TICK_MICROS, core.tickInMicros()), () -> {
                if (!paused) {
                    happens(new Event.Tick());
                }
                tickLater();
            });
        }
    }

    void die() {
        alive = false;
    }

    void pause() {
        paused = true;
    }

    void resume() {
        paused = false;
        while (!heldWrites.isEmpty()) {
            heldWrites.poll().run();
        }
        while (!held.isEmpty() && alive && !paused) {
            happens(held.poll());
        }
    }

    /** What it says and hears of formats; null where all use one. */
    @Nullable
    FormatTalk formats() {
        return formats;
    }

    void happens(Event event) {
        if (!alive) {
            return;
        } else if (paused) {
            held.add(event);
            return;
        }
        world.step(dc.number, event);
        for (Effect effect : core.step(event, dc.now())) {
            world.step(dc.number, effect);
            effect.handOver(interpreter);
        }
        if (event instanceof Event.Tick) {
            world.verifier.holds(
                    dc.number,
                    core.usage(),
                    world.plan.settings().budget(),
                    world.plan.load().largest());
        }
        if (core.isStopped() && alive) {
            alive = false;
            dc.ended(this);
        }
    }

    /** Carries effects out, in time. */
    private final class Interpreter implements Effect.Handler {
        @Override
        public void on(Effect.Send send) {
            if (formats == null || formats.fits(send.to())) {
                for (int copy = send.twice() ? 2 : 1; copy > 0; copy--) {
                    world.mail.send(dc.number, life, send.to(), send.message());
                }
            }
        }

        @Override
        public void on(Effect.Persist persist) {
            persist(persist);
        }

        @Override
        public void on(Effect.ReadRows read) {
            readRows(read);
        }

        @Override
        public void on(Effect.ReadKeys read) {
            readKeys(read);
        }

        @Override
        public void on(Effect.WriteRows write) {
            writeRows(write);
        }

        @Override
        public void on(Effect.WriteChanges write) {
            writeChanges(write);
        }

        @Override
        public void on(Effect.ReadPage read) {
            readPage(read);
        }

        @Override
        public void on(Effect.WritePage write) {
            onDisk(write.rows().size(), () -> {
                dc.disk.tables.writePage(write, life, () -> alive || random.nextBoolean());
                later(new Event.PageWritten(write.request()));
            });
        }

        @Override
        public void on(Effect.ForgetEditions forget) {
            onDisk(changing.nextLong(LONGEST_LOOK_MICROS), () -> {
                dc.disk.tables.forgetEditions(forget.below(), forget.count());
                later(new Event.EditionsForgotten(forget.below()));
            });
        }

        @Override
        public void on(Effect.ReadLog read) {
            onDisk(
                    DISK_READ,
                    () -> later(new Event.LogRead(
                            read.request(),
                            read.lane(),
                            read.from(),
                            dc.disk.read(read.lane(), read.from(), read.below(), read.bytes()))));
        }

        /** Where nothing ends nobody is told so: that would be a step more. */
        @Override
        public void on(Effect.ReadDue read) {
            if (world.plan.work().ends() > 0) {
                onDisk(DISK_READ, () -> later(dc.disk.tables.due(read, life)));
            }
        }

        @Override
        public void on(Effect.ForgetDue forget) {
            onDisk(DISK_READ, () -> dc.disk.tables.forgetDue(forget.belowMillis(), life));
        }

        @Override
        public void on(Effect.Reply reply) {
            world.reply(dc.number, reply.client(), reply.answer());
        }

        @Override
        public void on(Effect.Alarm alarm) {
            world.alarm(dc.number, alarm);
        }
    }

    /** For who reads the run. */
    private record Jumped(Checkpoint checkpoint) {}

    /** Tells the verifier what the core has executed. */
    private final class Audited implements Observer {
        @Override
        public void executed(Executed executed) {
            world.step(dc.number, executed);
            world.verifier.executed(dc.number, executed, world.scheduler.nowMicros());
        }

        @Override
        public void jumped(Checkpoint to) {
            world.step(dc.number, new Jumped(to));
            world.verifier.jumped(dc.number, to);
        }
    }

    /**
     * What was on its way to the disk when the process died gets there or not; when it stood still, now or when it goes
     * on.
     */
    private void onDisk(int mutations, Runnable write) {
        onDisk(dc.diskMicros(mutations), write);
    }

    private void onDisk(long micros, Runnable write) {
        long diskLosses = dc.diskLosses;
        Runnable unlessLost = () -> {
            if (diskLosses == dc.diskLosses) { // Else it went to a disk that is no more.
                write.run();
            }
        };
        world.scheduler.after(micros, () -> {
            if (diskLosses == dc.diskLosses && paused && random.nextBoolean()) {
                heldWrites.add(unlessLost);
            } else {
                unlessLost.run();
            }
        });
    }

    private void persist(Effect.Persist persist) {
        onDisk(1, () -> {
            for (Durable record : persist.records()) {
                if (alive || random.nextBoolean()) {
                    dc.disk.write(record);
                }
            }
            world.scheduler.after(
                    dc.diskMicros(1) / 2, () -> later(new Event.Persisted(persist.batch(), dc.disk.fence())));
        });
    }

    private void readRows(Effect.ReadRows read) {
        onDisk(read.rows().size(), () -> {
            Map<RowKey, StoredRow> rows = new HashMap<>();
            read.rows()
                    .forEach(key -> rows.put(key, dc.disk.tables.read(read.edition(), read.below(), key, isFenced())));
            later(new Event.RowsRead(read.edition(), rows));
        });
    }

    private void readKeys(Effect.ReadKeys read) {
        onDisk(DISK_READ, () -> {
            Event keys = dc.disk.tables.keys(read);
            if (!isFenced()) {
                later(keys);
            }
        });
    }

    /** Whether another process has taken the store over. */
    private boolean isFenced() {
        return dc.disk.fence() != life;
    }

    private void readPage(Effect.ReadPage read) {
        onDisk(DISK_READ, () -> {
            Event page = dc.disk.tables.page(read);
            if (!isFenced()) {
                later(page);
            }
        });
    }

    private void writeRows(Effect.WriteRows write) {
        onDisk(write.rows().size(), () -> {
            for (RowWrite row : write.rows()) {
                if (row.due() != RowWrite.NOT_DUE && (alive || random.nextBoolean())) {
                    dc.disk.tables.writeDue(row, life);
                }
                if (alive || arrives(row)) {
                    dc.disk.tables.writeKey(write.edition(), row);
                    if (alive || random.nextBoolean()) {
                        dc.disk.tables.write(write.edition(), row);
                    }
                }
            }
            later(new Event.RowsWritten(write.cut()));
        });
    }

    /** Of a dying process: the key of a row in ranges may be the last of it, and comes before what it names. */
    private boolean arrives(RowWrite row) {
        return !row.key().table().equals(Shelves.TABLE) || random.nextBoolean();
    }

    private void writeChanges(Effect.WriteChanges write) {
        int mutations = 1 + write.changes().rows().size() / CHANGES_TOGETHER;
        long slow = changing.nextInt(8) == 0 ? changing.nextLong(LONGEST_CHANGES_MICROS) : 0;
        onDisk(slow + dc.diskMicros(mutations, changing), () -> {
            writeChanges(write.changes());
            later(new Event.ChangesWritten());
        });
    }

    private void writeChanges(Changes changes) {
        boolean all = true;
        for (ChangedRow row : changes.rows()) {
            if (alive || changing.nextBoolean()) {
                dc.disk.changes.write(row);
            } else {
                all = false;
            }
        }
        if (all) {
            dc.disk.changes.end(changes);
        }
    }

    private void later(Event event) {
        world.scheduler.after(20, () -> happens(event));
    }
}
