/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.meteorshower.transactions.Catenae;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.port.Durable;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Event;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Recovery;
import org.meteorshower.transactions.port.StoredRow;

/** A core that runs, and what carries out its effects. Its death takes what is not durable, and half of what was on its way there. */
final class Representative {
    private static final long LONGEST_TICK_MICROS = 10_000;

    private final DataCentre dc;
    private final World world;
    private final SplittableRandom random;
    private final Catenae core;
    private final ArrayDeque<Event> held = new ArrayDeque<>();
    private final ArrayDeque<Runnable> heldWrites = new ArrayDeque<>();
    private boolean alive = true;
    private boolean paused;

    Representative(DataCentre dc, World world, SplittableRandom random, Recovery recovery) {
        this.dc = dc;
        this.world = world;
        this.random = random;
        this.core = new Catenae(new Members(dc.number, world.plan.dcs()), world.plan.settings(), recovery);
        world.verifier.begins(dc.number, core.checkpoint());
    }

    Catenae core() {
        return core;
    }

    boolean isPaused() {
        return paused;
    }

    void begin() {
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
            perform(effect);
        }
        if (core.isStopped() && alive) {
            alive = false;
            dc.ended(this);
        }
    }

    private void perform(Effect effect) {
        if (effect instanceof Effect.Send send) {
            for (int copy = send.twice() ? 2 : 1; copy > 0; copy--) {
                world.send(dc.number, send.to(), send.message());
            }
        } else if (effect instanceof Effect.Persist persist) {
            persist(persist);
        } else if (effect instanceof Effect.ReadRows read) {
            readRows(read);
        } else if (effect instanceof Effect.WriteRows write) {
            onDisk(() -> {
                write.rows().forEach((key, row) -> {
                    if (alive || random.nextBoolean()) {
                        dc.disk.write(key, row);
                    }
                });
                later(new Event.RowsWritten(write.flush()));
            });
        } else if (effect instanceof Effect.ReadTables read) {
            onDisk(() -> later(new Event.TablesRead(read.request(), dc.disk.tables())));
        } else if (effect instanceof Effect.ReplaceTables replace) {
            replaceTables(replace);
        } else if (effect instanceof Effect.Reply reply) {
            world.reply(dc.number, reply.client(), reply.answer());
        } else if (effect instanceof Effect.Executed executed) {
            world.verifier.executed(dc.number, executed);
        } else if (effect instanceof Effect.Jumped jumped) {
            world.verifier.jumped(dc.number, jumped.checkpoint());
        } else if (effect instanceof Effect.Alarm alarm) {
            world.alarm(dc.number, alarm);
        }
    }

    /** What was on its way to the disk when the process died gets there or not; when it stood still, now or when it goes on. */
    private void onDisk(Runnable write) {
        long diskLosses = dc.diskLosses;
        world.scheduler.after(dc.diskMicros(), () -> {
            if (diskLosses != dc.diskLosses) {
                return; // It went to a disk that is no more.
            } else if (paused && random.nextBoolean()) {
                heldWrites.add(write);
            } else {
                write.run();
            }
        });
    }

    private void persist(Effect.Persist persist) {
        onDisk(() -> {
            for (Durable record : persist.records()) {
                if (alive || random.nextBoolean()) {
                    dc.disk.write(record);
                }
            }
            world.scheduler.after(
                    dc.diskMicros() / 2, () -> later(new Event.Persisted(persist.batch(), dc.disk.fence())));
        });
    }

    private void readRows(Effect.ReadRows read) {
        onDisk(() -> {
            Map<RowKey, StoredRow> rows = new HashMap<>();
            read.rows().forEach(key -> rows.put(key, dc.disk.row(key)));
            later(new Event.RowsRead(read.contents(), rows));
        });
    }

    private void replaceTables(Effect.ReplaceTables replace) {
        onDisk(() -> {
            if (alive) {
                dc.disk.replaceTables(replace.rows());
                later(new Event.TablesReplaced(replace.request()));
            } else {
                replace.rows().forEach((key, row) -> {
                    if (random.nextBoolean()) {
                        dc.disk.write(key, row);
                    }
                });
            }
        });
    }

    private void later(Event event) {
        world.scheduler.after(20, () -> happens(event));
    }
}
