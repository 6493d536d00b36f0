/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator.servers;

import java.util.ArrayDeque;
import java.util.Map;
import java.util.TreeMap;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.port.Event;
import org.meteorshower.transactions.port.RowWrite;
import org.meteorshower.transactions.port.StoredRow;
import org.meteorshower.transactions.servers.Assignment;
import org.meteorshower.transactions.servers.ChainMessage;
import org.meteorshower.transactions.servers.Life;
import org.meteorshower.transactions.servers.RangeServer;
import org.meteorshower.transactions.servers.ServerEffect;

/** One node: the servers of the ranges that it believes to be its own. */
final class SimulatedServers {

    private final int number;
    private final ServersWorld world;
    private final Map<Integer, RangeServer> servers = new TreeMap<>();
    private final ArrayDeque<Runnable> missed = new ArrayDeque<>();
    private Assignment assignment;
    private boolean isUp = true;
    private boolean isPaused;
    private int slowness = 1;

    /** What was asked for by an earlier one is answered to nobody. */
    private int lives;

    SimulatedServers(int number, ServersWorld world, Assignment assignment) {
        this.number = number;
        this.world = world;
        this.assignment = assignment;
        serve();
    }

    boolean isUp() {
        return isUp;
    }

    boolean isWell() {
        return isUp && !isPaused;
    }

    Assignment assignment() {
        return assignment;
    }

    private void serve() {
        for (int range = 0; range < world.plan.ranges(); range++) {
            RangeServer server = servers.get(range);
            if (assignment.servers().get(range) != number) {
                servers.remove(range);
            } else if (server == null) {
                Life life = new Life(assignment.number(), lives, 0);
                servers.put(
                        range,
                        new RangeServer(range, life, world.division, world.plan.budget(), world.plan.mostRows()));
            } else {
                server.assigned(assignment.number());
            }
        }
    }

    /** News of who serves what. */
    void assigned(Assignment news) {
        happens(() -> {
            if (news.number() > assignment.number()) {
                assignment = news;
                serve();
            }
        });
    }

    void deliver(ChainMessage message) {
        happens(() -> {
            int range = message.to();
            RangeServer server = servers.get(range);
            if (server != null) {
                server.received(message);
                after(range, server);
            }
        });
    }

    void tick() {
        if (isWell()) {
            servers.forEach((range, server) -> {
                server.tick();
                after(range, server);
            });
        }
    }

    /** Now, or when it goes on. */
    private void happens(Runnable event) {
        if (isUp && isPaused) {
            missed.add(event);
        } else if (isUp) {
            event.run();
        }
    }

    void die() {
        isUp = false;
        isPaused = false;
        missed.clear();
        servers.clear();
        lives++;
    }

    /** A new process, which knows the newest assignment, and serves what that says. */
    void start(Assignment newest) {
        if (!isUp) {
            isUp = true;
            assignment = newest;
            serve();
        }
    }

    void pause() {
        isPaused = isUp;
    }

    void goOn() {
        if (isPaused) {
            isPaused = false;
            while (!missed.isEmpty() && isWell()) {
                missed.poll().run();
            }
        }
    }

    void slowDisk(int times) {
        slowness = times;
    }

    private void after(int range, RangeServer server) {
        world.looked(number, range, server);
        for (ServerEffect effect : server.takeEffects()) {
            effect.handOver(new Doing(range, server));
        }
    }

    private long diskMicros() {
        return slowness * world.diskMicros();
    }

    /** Whether the server, whose table has answered, is still there. */
    private boolean isServing(int life, int range, RangeServer server) {
        return life == lives && server.equals(servers.get(range));
    }

    private final class Doing implements ServerEffect.Handler {
        private final int range;
        private final RangeServer server;

        Doing(int range, RangeServer server) {
            this.range = range;
            this.server = server;
        }

        @Override
        public void on(ServerEffect.Send send) {
            world.send(number, assignment, send.message());
        }

        /** First the rows, then K: each when the node gets to it, if it stands still. */
        @Override
        public void on(ServerEffect.Read read) {
            int life = lives;
            Map<RowKey, StoredRow> found = new TreeMap<>();
            later(() -> {
                read.rows().forEach(row -> found.put(row, world.tables.read(row, read.below())));
                later(() -> {
                    long noted = world.durable();
                    later(() -> {
                        if (isServing(life, range, server)) {
                            server.rowsRead(read.request(), found, noted);
                            after(range, server);
                        }
                    });
                });
            });
        }

        /** The same of keys. */
        @Override
        public void on(ServerEffect.ReadKeys read) {
            int life = lives;
            later(() -> {
                Event.KeysRead told = world.tables.keys(read);
                later(() -> {
                    long noted = world.durable();
                    later(() -> {
                        if (isServing(life, range, server)) {
                            server.keysRead(told.request(), told.keys(), told.more(), noted);
                            after(range, server);
                        }
                    });
                });
            });
        }

        private void later(Runnable what) {
            world.scheduler.after(diskMicros(), () -> happens(what));
        }

        /** Some of it may come to the tables although the node has died, and late. */
        @Override
        public void on(ServerEffect.Write write) {
            if (world.plan.claims() > 0) {
                writeWithKeys(write);
                return;
            }
            long last = 0;
            for (RowWrite row : write.rows()) {
                last = Math.max(last, comes(() -> world.tables.noteDue(row, write.asOf())));
                last = Math.max(last, comes(() -> world.tables.write(row)));
            }
            int life = lives;
            world.scheduler.after(last + 1, () -> happens(() -> written(life, write)));
        }

        /** Each row behind its key. */
        private void writeWithKeys(ServerEffect.Write write) {
            int life = lives;
            int[] left = {1 + 2 * write.rows().size()};
            Runnable done = () -> {
                if (--left[0] == 0) {
                    written(life, write);
                }
            };
            for (RowWrite row : write.rows()) {
                comes(() -> {
                    world.tables.noteDue(row, write.asOf());
                    done.run();
                });
                comes(() -> {
                    world.tables.writeKey(row);
                    comes(() -> {
                        world.tables.write(row);
                        done.run();
                    });
                });
            }
            world.scheduler.after(1, () -> happens(done));
        }

        private void written(int life, ServerEffect.Write write) {
            if (isServing(life, range, server)) {
                server.rowsWritten(write.request());
                after(range, server);
            }
        }

        /** Returns when. */
        private long comes(Runnable mutation) {
            int life = lives;
            long micros = diskMicros();
            world.scheduler.after(micros, () -> {
                if (life == lives) {
                    happens(mutation);
                } else if (world.random.nextBoolean()) {
                    mutation.run();
                }
            });
            return micros;
        }
    }
}
