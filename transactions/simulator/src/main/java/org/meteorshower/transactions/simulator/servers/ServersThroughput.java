/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator.servers;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.meteorshower.transactions.fronts.Bodies;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Statement;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.Submission;
import org.meteorshower.transactions.merge.Merged;
import org.meteorshower.transactions.port.StoredRow;
import org.meteorshower.transactions.servers.ChainMessage;
import org.meteorshower.transactions.servers.Division;
import org.meteorshower.transactions.servers.Life;
import org.meteorshower.transactions.servers.Placed;
import org.meteorshower.transactions.servers.RangeServer;
import org.meteorshower.transactions.servers.Sequencer;
import org.meteorshower.transactions.servers.ServerEffect;

/**
 * How many transactions several nodes of a data centre get done, against one, by processor time: the cores run, what
 * they do is counted by range, and each step costs what it is said to. The busiest node decides. Transfers between two
 * rows, which are of different ranges as often as is said.
 */
public final class ServersThroughput {
    private static final int RANGES = 24;
    private static final int ENTRIES = 400;
    private static final int PER_ENTRY = 50;
    private static final int ROWS = 200;

    /**
     * Of steps, in microseconds of a processor.
     *
     * @param sequencing a transaction, where the sequencer is: lanes, merge, the log, other data centres' messages
     * @param cutting a transaction into slices
     * @param carrying a submission to another node, at each of the two
     * @param visit of a chain at a range
     * @param turn of a transaction
     * @param message from range to range between nodes, at each of the two
     * @param row to be read and written behind, at the range's node
     * @param request of a client, at any node
     */
    public record Costs(
            double sequencing,
            double cutting,
            double carrying,
            double visit,
            double turn,
            double message,
            double row,
            double request) {
        double onOneNode() {
            return sequencing + visit + turn + 2 * row + request;
        }
    }

    private final Division division = MergedWork.division(RANGES);
    private final List<RangeServer> servers = new ArrayList<>();
    private final ArrayDeque<ServerEffect.Send> mail = new ArrayDeque<>();
    private final long[] visits = new long[RANGES];
    private final long[][] messages = new long[RANGES][RANGES];
    private final Sequencer sequencer;
    private long ended;

    /** @param across the share of transactions over two ranges */
    public ServersThroughput(double across) {
        List<Merged> order = order(new SplittableRandom(1), across);
        sequencer = new Sequencer(
                1,
                division,
                count -> count < order.size() ? Placed.of(order.get((int) count), new Bodies(division)) : null,
                new Hearing(),
                0,
                0,
                1L << 30);
        for (int range = 0; range < RANGES; range++) {
            servers.add(new RangeServer(range, new Life(0, 0, 0), division, 1L << 40, 1 << 20));
        }
        while (sequencer.count() < order.size()) {
            tick();
        }
    }

    private static List<Merged> order(SplittableRandom random, double across) {
        List<Merged> order = new ArrayList<>();
        for (long number = 0; number < ENTRIES; number++) {
            List<Submission> submissions = new ArrayList<>();
            for (int index = 0; index < PER_ENTRY; index++) {
                int first = random.nextInt(RANGES);
                int second = random.nextDouble() < across ? (first + 1 + random.nextInt(RANGES - 1)) % RANGES : first;
                RowKey from = row(first, random.nextInt(ROWS / 2));
                RowKey to = row(second, ROWS / 2 + random.nextInt(ROWS / 2));
                submissions.add(new Submission(
                        0, new Request.Once(new Transaction(List.of(), List.of(add(from, -1), add(to, 1))))));
            }
            order.add(new Merged(number, 0, number, number + 1, new Entry(number + 1, 1, submissions)));
        }
        return order;
    }

    private static RowKey row(int range, int number) {
        return new RowKey("t", "r" + (number * RANGES + range));
    }

    private static Statement add(RowKey row, long value) {
        Expression held = new Expression.Column(row, "v");
        Expression or0 =
                new Expression.Choice(new Expression.IsNothing(held), new Expression.Constant(Value.of(0)), held);
        return new Statement.Put(
                row,
                "v",
                new Expression.Arithmetic(
                        Expression.Arithmetic.Operation.PLUS, or0, new Expression.Constant(Value.of(value))));
    }

    private void tick() {
        sequencer.tick();
        deliver();
        for (RangeServer server : servers) {
            server.tick();
            take(server);
        }
        deliver();
    }

    private void deliver() {
        for (ServerEffect.Send send = mail.poll(); send != null; send = mail.poll()) {
            if (send.range() < 0) {
                sequencer.received(send.message());
            } else {
                servers.get(send.range()).received(send.message());
                take(servers.get(send.range()));
            }
        }
    }

    private void take(RangeServer server) {
        for (ServerEffect effect : server.takeEffects()) {
            effect.handOver(new Doing(server));
        }
    }

    private final class Hearing implements Sequencer.Listener {
        @Override
        public void send(ChainMessage message, int range) {
            if (message instanceof ChainMessage.Slices slices) {
                slices.slices().forEach(slice -> visits[range] += slice.pieces().size());
            }
            mail.add(new ServerEffect.Send(range, message));
        }

        @Override
        public void ended(long count, int index, Outcome outcome) {
            ended++;
        }

        @Override
        public void executed(long count, long digest) {}

        @Override
        public void makeDurable(long count, long digest) {}

        @Override
        public void endsFrom(long millis) {}
    }

    private final class Doing implements ServerEffect.Handler {
        private final RangeServer server;

        Doing(RangeServer server) {
            this.server = server;
        }

        @Override
        public void on(ServerEffect.Send send) {
            if (send.message() instanceof ChainMessage.Handed handed && handed.to() >= 0) {
                messages[handed.from()][handed.to()]++;
            }
            mail.add(send);
        }

        @Override
        public void on(ServerEffect.Read read) {
            Map<RowKey, StoredRow> found = new TreeMap<>();
            read.rows().forEach(row -> found.put(row, StoredRow.NEVER_WRITTEN));
            server.rowsRead(read.request(), found, 0);
            take(server);
        }

        @Override
        public void on(ServerEffect.ReadKeys read) {
            throw new IllegalStateException("none of these transactions has ranges of rows");
        }

        @Override
        public void on(ServerEffect.Write write) {
            server.rowsWritten(write.request());
            take(server);
        }
    }

    /** Messages from range to range, a transaction. */
    public double messagesEach() {
        long all = 0;
        for (long[] from : messages) {
            for (long each : from) {
                all += each;
            }
        }
        return (double) all / ended;
    }

    /** How many transactions so many nodes do in the time of one of one node. Ranges are dealt out as is best. */
    public double ratio(int nodes, Costs costs) {
        if (nodes == 1) {
            return 1;
        }
        double best = 0;
        for (int first = 0; first <= RANGES / nodes; first++) {
            best = Math.max(best, costs.onOneNode() / busiest(nodes, first, costs));
        }
        return best;
    }

    /** @param first so many ranges are at the sequencer's node; the others are dealt out in turn */
    private double busiest(int nodes, int first, Costs costs) {
        double[] micros = new double[nodes];
        micros[0] = costs.sequencing() + costs.cutting();
        for (int range = 0; range < RANGES; range++) {
            int node = node(range, nodes, first);
            double its = (double) visits[range] / ended;
            micros[node] += its * costs.visit() + costs.turn() / RANGES + 2 * costs.row() / RANGES;
            micros[node] += node == 0 ? 0 : its * costs.carrying();
            micros[0] += node == 0 ? 0 : its * costs.carrying();
            for (int other = 0; other < RANGES; other++) {
                if (node(other, nodes, first) != node) {
                    micros[node] += (messages[range][other] + messages[other][range]) * costs.message() / ended;
                }
            }
        }
        double most = 0;
        double all = 0;
        for (double each : micros) {
            most = Math.max(most, each);
            all += each;
        }
        // Clients' requests go where there is time for them.
        return Math.max(most, (all + costs.request()) / nodes);
    }

    private static int node(int range, int nodes, int first) {
        return range < first ? 0 : 1 + (range - first) % (nodes - 1);
    }
}
