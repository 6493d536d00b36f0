/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.util.ArrayList;
import java.util.List;
import org.meteorshower.client.transactions.TransactionStatement;

/**
 * Jobs in queues: a queue is a partition, and a job is one row of it or three, which come and go together. How many
 * rows a queue has stands in it, in a static column, and in a row of another table.
 */
final class Jobs {
    private static final String BEGIN = "BEGIN TRANSACTION ";
    private static final String COMMIT = " COMMIT TRANSACTION";
    private static final String COUNT =
            "UPDATE faults.jobs SET n += ? WHERE queue = ?;" + " UPDATE faults.job_counts SET n += ? WHERE queue = ?;";

    private Jobs() {}

    /** @param name a job has the same one in whichever queue it is */
    record Job(int queue, String name, int rows) {
        Job in(int other) {
            return new Job(other, name, rows);
        }
    }

    /** What was found of a queue at once. */
    record Found(List<String> names, List<Integer> parts, long counted) {}

    static void create(TestCluster cluster, int queues) throws InterruptedException {
        cluster.create(
                "jobs",
                "queue int, name text, part int, n int static, counted int static, PRIMARY KEY (queue, name, part)",
                "CLUSTERING ORDER BY (name ASC, part DESC)");
        cluster.create("job_counts", "queue int PRIMARY KEY, n int");
        for (int queue = 0; queue < queues; queue++) {
            CqlSession eu = cluster.cql("eu");
            eu.execute("UPDATE faults.jobs SET n = 0 WHERE queue = " + queue);
            eu.execute("UPDATE faults.job_counts SET n = 0 WHERE queue = " + queue);
        }
    }

    static TransactionStatement put(Job job) {
        List<Object> values = new ArrayList<>();
        String text = inserts(job, values) + count(job.queue, job.rows, values);
        return TransactionStatement.of(BEGIN + text + COMMIT, values.toArray());
    }

    private static String inserts(Job job, List<Object> values) {
        StringBuilder text = new StringBuilder();
        for (int part = 1; part <= job.rows; part++) {
            text.append("INSERT INTO faults.jobs (queue, name, part) VALUES (?, ?, ?); ");
            values.addAll(List.of(job.queue, job.name, part));
        }
        return text.toString();
    }

    private static String count(int queue, int by, List<Object> values) {
        values.addAll(List.of(by, queue, by, queue));
        return COUNT;
    }

    /** A job of one row by the row's name, another by a range; if it is there. */
    static TransactionStatement take(Job job) {
        List<Object> values = new ArrayList<>();
        String text = ifThere(job, values) + delete(job, values) + count(job.queue, -job.rows, values);
        return TransactionStatement.of(BEGIN + text + " END IF" + COMMIT, values.toArray());
    }

    private static String ifThere(Job job, List<Object> values) {
        values.addAll(List.of(job.queue, job.name));
        return "LET some = (SELECT name FROM faults.jobs WHERE queue = ? AND name = ?"
                + (job.rows == 1 ? " AND part = 1" : " LIMIT 1") + "); IF some IS NOT NULL THEN ";
    }

    private static String delete(Job job, List<Object> values) {
        values.addAll(List.of(job.queue, job.name));
        return "DELETE FROM faults.jobs WHERE queue = ? AND name = ?" + (job.rows == 1 ? " AND part = 1; " : "; ");
    }

    static TransactionStatement first(int queue) {
        return TransactionStatement.of(
                BEGIN + "SELECT name, part FROM faults.jobs WHERE queue = ? LIMIT 1;" + COMMIT, queue);
    }

    /** Takes the job if it is still the first one, and tells which one is. */
    static TransactionStatement takeFirst(Job job) {
        List<Object> values = new ArrayList<>(List.of(job.queue, job.name));
        String text = "LET first = (SELECT name FROM faults.jobs WHERE queue = ? LIMIT 1); SELECT first.name;"
                + " IF first.name = ? THEN " + delete(job, values) + count(job.queue, -job.rows, values);
        return TransactionStatement.of(BEGIN + text + " END IF" + COMMIT, values.toArray());
    }

    /** From its queue to another one, if it is there. */
    static TransactionStatement move(Job job, int to) {
        List<Object> values = new ArrayList<>();
        String text = ifThere(job, values)
                + delete(job, values)
                + inserts(job.in(to), values)
                + count(job.queue, -job.rows, values)
                + count(to, job.rows, values);
        return TransactionStatement.of(BEGIN + text + " END IF" + COMMIT, values.toArray());
    }

    /** One statement, which is a transaction of its own. */
    static Found all(CqlSession session, int queue) {
        return found(session.execute(
                        SimpleStatement.newInstance("SELECT name, part, n FROM faults.jobs WHERE queue = ?", queue)
                                .setConsistencyLevel(ConsistencyLevel.QUORUM))
                .all());
    }

    /** With the count of the other table, which the transaction itself writes down beside the rows before. */
    static Found allWithCount(CqlSession session, int queue) {
        return found(session.execute(
                        BEGIN + "LET count = (SELECT n FROM faults.job_counts WHERE queue = ?);"
                                + " UPDATE faults.jobs SET counted = count.n WHERE queue = ?;"
                                + " SELECT name, part, counted FROM faults.jobs WHERE queue = ?;" + COMMIT,
                        queue,
                        queue,
                        queue)
                .all());
    }

    /** A queue without rows has one for its static columns. */
    private static Found found(List<Row> rows) {
        List<Row> named = rows.stream().filter(row -> !row.isNull("name")).toList();
        return new Found(
                named.stream().map(row -> row.getString("name")).toList(),
                named.stream().map(row -> row.getInt("part")).toList(),
                rows.get(0).getInt(2));
    }
}
