/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.db.Mutation;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Event;
import org.meteorshower.transactions.port.RowWrite;
import org.meteorshower.transactions.port.StoredRow;

/** Rows that are to be looked at, in an embedded node's tables. */
class DueRowsIT {
    private static final int EDITION = 1;
    private static final long MINUTE = 60_000;

    /** At the beginning of a minute. */
    private static final long BEGIN = 28_333_333L * MINUTE;

    private static int made = 2_000;

    private LogKeyspace keyspace;
    private RowVersions versions;
    private long version;

    @BeforeAll
    static void start() throws Exception {
        EmbeddedNode.start();
    }

    @BeforeEach
    void create() {
        keyspace = new LogKeyspace(0, made++, "datacenter1", 1);
        keyspace.create();
        versions = new RowVersions(keyspace);
    }

    private static RowKey key(int number) {
        return new RowKey("t", "k" + number);
    }

    private DueRows life(long life) {
        return new DueRows(keyspace, versions, life, mutations -> LocalWrites.write(mutations, false));
    }

    /** A row of which a value ends then, and that is to be looked at so. */
    private void write(DueRows due, RowKey key, long ends, long looked) {
        Row row = ends == Row.NEVER
                ? Row.ABSENT.with("a", Value.of(1))
                : Row.ABSENT.with("a", new Value.Expiring(Value.of(1), ends));
        RowWrite write = new RowWrite(key, new StoredRow(++version, row), 0, null, 0).dueAt(looked);
        List<Mutation> mutations = new ArrayList<>(due.of(List.of(write)));
        mutations.add(versions.mutation(EDITION, write));
        LocalWrites.write(mutations, false);
    }

    private static Event.DueRead read(DueRows due, long from, long below, int most) {
        return due.read(new Effect.ReadDue(7, EDITION, from, below, below, most));
    }

    private long notes() {
        return QueryProcessor.executeInternal("SELECT due FROM " + keyspace.table(LogKeyspace.DUE))
                .size();
    }

    @Test
    void whereNothingWasEverDueNothingIs() {
        assertThat(read(life(1), 0, BEGIN, 10)).isEqualTo(new Event.DueRead(7, List.of(), BEGIN, Long.MAX_VALUE));
    }

    @Test
    void rowsAreToldInTheOrderInWhichTheyAreDueAndWhatComesNextIs() {
        DueRows due = life(1);
        write(due, key(1), BEGIN + 100, BEGIN + 100);
        write(due, key(2), BEGIN + 50, BEGIN + 50);
        write(due, key(3), BEGIN + 700, BEGIN + 700);

        assertThat(read(due, 0, BEGIN + 200, 10))
                .isEqualTo(new Event.DueRead(7, List.of(key(2), key(1)), BEGIN + 200, BEGIN + 700));
        assertThat(read(due, BEGIN + 701, BEGIN + 800, 10))
                .isEqualTo(new Event.DueRead(7, List.of(), BEGIN + 800, BEGIN + MINUTE));
    }

    @Test
    void aPageEndsBetweenTwoMilliseconds() {
        DueRows due = life(1);
        write(due, key(1), BEGIN + 100, BEGIN + 100);
        write(due, key(2), BEGIN + 200, BEGIN + 200);
        write(due, key(3), BEGIN + 200, BEGIN + 200);

        assertThat(read(due, 0, BEGIN + 300, 2))
                .isEqualTo(new Event.DueRead(7, List.of(key(1), key(2)), BEGIN + 200, BEGIN + 200));
        assertThat(read(due, BEGIN + 200, BEGIN + 300, 2).rows()).containsExactly(key(2), key(3));
    }

    @Test
    void whatEndsLaterIsNotedAnewAndWhatDoesNotEndIsNotTold() {
        DueRows due = life(1);
        write(due, key(1), BEGIN + 5 * MINUTE, BEGIN + 100);
        write(due, key(2), Row.NEVER, BEGIN + 100);

        assertThat(read(due, 0, BEGIN + 200, 10).rows()).isEmpty();
        assertThat(read(due, BEGIN + 200, BEGIN + 6 * MINUTE, 10).rows()).containsExactly(key(1));
    }

    @Test
    void emptyMinutesArePassedOver() {
        DueRows due = life(1);
        write(due, key(1), BEGIN, BEGIN);
        write(due, key(2), BEGIN + 900 * MINUTE, BEGIN + 900 * MINUTE);

        assertThat(read(due, 0, BEGIN + 901 * MINUTE, 10).rows()).containsExactly(key(1), key(2));
        assertThat(read(due, 0, BEGIN + 5_000 * MINUTE, 10).told())
                .as("so many in one read")
                .isEqualTo(BEGIN + 1_000 * MINUTE);
    }

    @Test
    void wholeMinutesAreForgottenAndNothingIsNotedBeforeThem() {
        DueRows due = life(1);
        write(due, key(1), BEGIN + 100, BEGIN + 100);
        write(due, key(2), BEGIN + MINUTE + 100, BEGIN + MINUTE + 100);
        assertThat(read(due, 0, BEGIN + MINUTE + 50, 10).rows()).containsExactly(key(1));
        due.forget(BEGIN + MINUTE + 50);

        assertThat(notes()).isEqualTo(1);
        write(due, key(3), BEGIN + 10, BEGIN + 10);
        assertThat(read(due, 0, BEGIN + 2 * MINUTE, 10).rows()).containsExactly(key(3), key(2));
        assertThat(read(life(2), 0, BEGIN + 2 * MINUTE, 10).rows())
                .as("the next process goes on from there")
                .containsExactly(key(3), key(2));
    }

    @Test
    void whatAReplacedProcessForgetsIsNotWhatItsSuccessorHasNoted() {
        DueRows before = life(1);
        write(before, key(1), BEGIN + 100, BEGIN + 100);
        assertThat(read(before, 0, BEGIN + MINUTE, 10).rows()).containsExactly(key(1));
        DueRows after = life(2);
        write(after, key(2), BEGIN + 200, BEGIN + 200);
        before.forget(BEGIN + 3 * MINUTE);

        assertThat(read(life(3), 0, BEGIN + 4 * MINUTE, 10).rows()).containsExactly(key(2));
    }
}
