/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.rivals.scalardb;

import com.scalar.db.api.DistributedTransactionAdmin;
import com.scalar.db.api.DistributedTransactionManager;
import com.scalar.db.api.TableMetadata;
import com.scalar.db.io.DataType;
import com.scalar.db.service.TransactionFactory;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Runs transactions through ScalarDB, in one data centre. A line in is a request, a line out its answer, in any order:
 *
 * <pre>
 *   create TABLE                              -> ready
 *   ID TABLE load FIRST COUNT BALANCE         -> ID commit 0
 *   ID TABLE transfer FROM TO AMOUNT          -> ID commit RETRIES VERSION LAST VERSION LAST
 *   ID TABLE increment ROW                    -> ID commit RETRIES VERSION LAST
 *   ID TABLE order ROW...                     -> ID commit RETRIES (VERSION LAST)...
 *   ID TABLE read ROW ROW                     -> ID commit RETRIES VERSION LAST VERSION LAST
 *   ID TABLE audit ROW                        -> ID commit 0 VERSION LAST BALANCE
 * </pre>
 *
 * or {@code ID abort RETRIES reason}, {@code ID unknown RETRIES reason}. It ends when its input does.
 */
public final class ScalarDbClient {
    static final String NAMESPACE = "scalardb_bench";

    private ScalarDbClient() {}

    /** Arguments: the address of a node of its data centre, the port, the number of threads. */
    public static void main(String[] args) throws Exception {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.setOut(System.err); // What libraries print must not get between the answers.
        TransactionFactory factory = TransactionFactory.create(properties(args[0], args[1]));
        ExecutorService threads = Executors.newFixedThreadPool(Integer.parseInt(args[2]), task -> {
            Thread thread = new Thread(task, "transaction");
            thread.setDaemon(true);
            return thread;
        });
        try (DistributedTransactionManager manager = factory.getTransactionManager();
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            out.println("ready");
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] words = line.split(" ");
                if (words[0].equals("create")) {
                    create(factory, words[1]);
                    out.println("ready");
                } else {
                    threads.execute(() -> out.println(words[0] + " " + new Job(manager, words).run()));
                }
            }
        }
        System.exit(0);
    }

    private static void create(TransactionFactory factory, String table) throws Exception {
        try (DistributedTransactionAdmin admin = factory.getTransactionAdmin()) {
            admin.createNamespace(NAMESPACE, true);
            admin.createTable(
                    NAMESPACE,
                    table,
                    TableMetadata.newBuilder()
                            .addColumn("id", DataType.INT)
                            .addColumn("balance", DataType.BIGINT)
                            .addColumn("version", DataType.BIGINT)
                            .addColumn("last", DataType.TEXT)
                            .addPartitionKey("id")
                            .build(),
                    true);
            admin.createCoordinatorTables(true);
        }
    }

    private static Properties properties(String address, String port) {
        Properties properties = new Properties();
        properties.setProperty("scalar.db.storage", "cassandra");
        properties.setProperty("scalar.db.contact_points", address);
        properties.setProperty("scalar.db.contact_port", port);
        properties.setProperty("scalar.db.username", "cassandra");
        properties.setProperty("scalar.db.password", "cassandra");
        properties.setProperty("scalar.db.transaction_manager", "consensus-commit");
        properties.setProperty("scalar.db.consensus_commit.isolation_level", "SERIALIZABLE");
        // The best it has for transactions on one row, and right for them.
        properties.setProperty("scalar.db.consensus_commit.one_phase_commit.enabled", "true");
        return properties;
    }
}
