/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client.changes;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import java.util.OptionalInt;

/**
 * What committed transactions have changed, in their one order: the same in all data centres, without a gap, each
 * transaction whole. Groups of data centres have an order each, and so a stream each: a table is in that of the data
 * centres that its keyspace is replicated in, and positions of one stream mean nothing in another. It is pulled: the
 * cluster keeps nothing for a reader, and a slow one holds nobody up. A reader keeps the position where it goes on, and
 * may go on there at any data centre.
 *
 * <p>Only what cannot change any more is told: about a quarter of a second behind the commits, under load a second. A
 * transaction that has set no row is not told.
 *
 * <p>All methods wait for the cluster, as long as the session's request time-out for each of their requests, and read
 * at LOCAL_QUORUM. They take SELECT on {@code changes}, {@code change_buckets} and {@code change_limits} of the data
 * centre's keyspace {@code meteorshower_transactions_<number>}, or {@code meteorshower_transactions_g<group>_<number>}
 * for a group of some of the data centres: whoever has it sees rows of all tables that take part in the group's
 * transactions. All methods throw
 *
 * <ul>
 *   <li>{@link ChangesOffException} where the data centre has no stream;
 *   <li>{@link DriverException} what the driver throws: nothing has happened, ask again;
 *   <li>{@link IllegalStateException} on one of the driver's own threads.
 * </ul>
 *
 * <p>Those that {@link #at} gives are thread-safe and hold nothing but the session, which stays open. Hold one for
 * long.
 */
public interface ChangeStream {
    /** The most transactions that can be asked for at a time. */
    int MOST_TRANSACTIONS = 10_000;

    /**
     * The stream of the session's local data centre: that of the group of all data centres or, where that has none
     * here, that of the only group that has one.
     *
     * @throws IllegalArgumentException if the session prefers nodes of no data centre, or of several
     * @throws ChangesOffException if the data centre has no stream, or only streams of several groups, which it names
     */
    static ChangeStream at(CqlSession session) {
        return at(session, LocalDataCentre.of(session));
    }

    /**
     * The same where the name cannot be told from the session.
     *
     * @param dataCentre of the nodes that the session asks
     * @throws ChangesOffException as {@link #at(CqlSession)}
     */
    static ChangeStream at(CqlSession session, String dataCentre) {
        return new StoredChangeStream(CqlChangeTables.of(session, dataCentre, OptionalInt.empty()));
    }

    /**
     * The stream of one group of data centres, at one of them.
     *
     * @param dataCentre of the nodes that the session asks
     * @param group its number, as in the name of its keyspaces; 0 is the group of all data centres
     * @throws IllegalArgumentException if the number is negative
     * @throws ChangesOffException if the data centre has no stream of the group
     */
    static ChangeStream at(CqlSession session, String dataCentre, int group) {
        if (group < 0) {
            throw new IllegalArgumentException("Groups have numbers from 0, not " + group);
        }
        return new StoredChangeStream(CqlChangeTables.of(session, dataCentre, OptionalInt.of(group)));
    }

    /** From where on there is everything. It moves on as room is made: it may be gone when it is asked for. */
    ChangePosition oldest();

    /**
     * Before it everything can be read, from it on nothing yet. Who wants only what is to come begins here; so does who
     * reads the tables first: a row that changed meanwhile is told once more.
     */
    ChangePosition end();

    /**
     * The transactions from a position on, as far as they are known to be all. Fewer than asked for does not mean that
     * there are no more: a batch ends, too, when it has grown to some millions of characters. There are more as long as
     * {@link ChangeBatch#next} is before {@link #end}.
     *
     * <p>Where there is nothing, the batch is empty, and its {@code next} is the end, or {@code from} where this data
     * centre has not come so far yet: ask again a little later.
     *
     * @param from the first to be told; what the last batch has named as next
     * @param mostTransactions 1 to {@link #MOST_TRANSACTIONS}
     * @throws ChangesGoneException if not all of it is here any more
     * @throws IllegalArgumentException if more or fewer transactions are asked for
     */
    ChangeBatch read(ChangePosition from, int mostTransactions);
}
