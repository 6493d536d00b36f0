/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.transactions;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.NodeSpec;
import org.meteorshower.lab.load.DataCentres;
import org.meteorshower.lab.rivals.ScalarDbProcess;

/** A table of ScalarDB's on Cassandra 5.0: transactions of its clients, each record by Cassandra's Paxos, version 2. */
final class ScalarDbStore implements TransactionStore {
    private static final int ROWS_A_LOAD = 10;
    private static final int LOADS_AT_A_TIME = 30;
    private static final int READS_AT_A_TIME = 48;
    private static final int BALANCE_WORD = 4;

    private final DataCentres dataCentres;
    private final String table;
    private final Map<String, ScalarDbProcess> processes = new LinkedHashMap<>();

    /** Starts a process in each data centre. */
    ScalarDbStore(DataCentres dataCentres, List<NodeSpec> nodes, String table, ScalarDbProcess.Starter starter) {
        this.dataCentres = dataCentres;
        this.table = table;
        try {
            for (NodeSpec node : nodes) {
                if (!processes.containsKey(node.dc())) {
                    processes.put(node.dc(), starter.start(node));
                }
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    @Override
    public void create() {
        of(dataCentres.names().get(0)).create(table);
        CqlSession session = dataCentres.session(dataCentres.names().get(0));
        String replicas =
                dataCentres.names().stream().map(dc -> "'" + dc + "': 1").collect(Collectors.joining(", "));
        for (Row row : session.execute("SELECT keyspace_name, replication FROM system_schema.keyspaces")) {
            // It makes them with one replica in all.
            if (String.valueOf(row.getObject(1)).contains("SimpleStrategy")
                    && !String.valueOf(row.getString(0)).startsWith("system")) {
                session.execute("ALTER KEYSPACE \"" + row.getString(0)
                        + "\" WITH replication = {'class': 'NetworkTopologyStrategy', " + replicas + "}");
            }
        }
    }

    @Override
    public void load(int firstRow, int rows) {
        List<Integer> firsts = new ArrayList<>();
        for (int row = firstRow; row < firstRow + rows; row += ROWS_A_LOAD) {
            firsts.add(row);
        }
        List<String> dcs = dataCentres.names();
        Async.all(firsts, LOADS_AT_A_TIME, "the rows were written", first -> of(dcs.get(
                        first / ROWS_A_LOAD % dcs.size()))
                .ask(
                        "load" + first,
                        table + " load " + first + " " + Math.min(ROWS_A_LOAD, firstRow + rows - first) + " " + BALANCE)
                .thenApply(ScalarDbStore::committed));
    }

    private static String[] committed(String[] words) {
        if (!words[1].equals("commit")) {
            throw new ClusterException("ScalarDB says: " + String.join(" ", words));
        }
        return words;
    }

    @Override
    public TransactionClient client(String dc) {
        ScalarDbProcess process = of(dc);
        return request -> process.ask(
                        request.id(),
                        table + " " + request.kind().name().toLowerCase(Locale.ROOT) + " "
                                + request.rows().stream().map(String::valueOf).collect(Collectors.joining(" "))
                                + (request.kind() == Request.Kind.TRANSFER ? " " + request.amount() : ""))
                .handle((words, failure) -> failure == null
                        ? outcome(words, request)
                        : TransactionOutcome.unknown(0, String.valueOf(failure.getMessage())));
    }

    private static TransactionOutcome outcome(String[] words, Request request) {
        int retries = Integer.parseInt(words[2]);
        if (!words[1].equals("commit")) {
            String reason = String.join(" ", List.of(words).subList(3, words.length));
            return words[1].equals("abort")
                    ? TransactionOutcome.aborted(retries, reason)
                    : TransactionOutcome.unknown(retries, reason);
        }
        List<TransactionOutcome.Seen> seen = new ArrayList<>();
        for (int i = 0; i < request.rows().size(); i++) {
            seen.add(new TransactionOutcome.Seen(Long.parseLong(words[3 + 2 * i]), words[4 + 2 * i]));
        }
        return TransactionOutcome.committed(seen, retries);
    }

    @Override
    public List<Account> audit(String dc, int firstRow, int rows) {
        ScalarDbProcess process = of(dc);
        return Async.all(
                IntStream.range(firstRow, firstRow + rows).boxed().toList(),
                READS_AT_A_TIME,
                "the rows were read in the end",
                row -> process.ask("audit" + row, table + " audit " + row).thenApply(answer -> {
                    String[] words = committed(answer);
                    return new Account(
                            row,
                            Long.parseLong(words[BALANCE_WORD + 1]),
                            Long.parseLong(words[3]),
                            words[BALANCE_WORD]);
                }));
    }

    private ScalarDbProcess of(String dc) {
        ScalarDbProcess found = processes.get(dc);
        if (found == null) {
            throw new ClusterException("no process of ScalarDB in data centre " + dc);
        }
        return found;
    }

    @Override
    public void close() {
        processes.values().forEach(ScalarDbProcess::close);
    }
}
