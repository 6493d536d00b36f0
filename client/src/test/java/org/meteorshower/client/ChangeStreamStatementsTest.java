/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.protocol.internal.ProtocolConstants;
import com.datastax.oss.protocol.internal.ProtocolConstants.ErrorCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.meteorshower.client.changes.ChangeBatch;
import org.meteorshower.client.changes.ChangePosition;
import org.meteorshower.client.changes.ChangeStream;
import org.meteorshower.client.changes.ChangedRow;
import org.meteorshower.client.changes.ChangedTransaction;
import org.meteorshower.client.changes.ChangesOffException;

/** What {@link ChangeStream} sends to the nodes of a data centre, and what it makes of their answers. */
final class ChangeStreamStatementsTest {
    private static final Reply LIMITS = Reply.of(Rows.ofMaps(List.of(Map.of("oldest", 100L, "below", 1_000L))));

    private final FakeDataCentre us = new FakeDataCentre("us", 1);

    @AfterEach
    void close() {
        us.close();
    }

    private static Reply keyspaces() {
        List<Map<String, Object>> rows = new ArrayList<>();
        rows.add(keyspace("meteorshower_transactions", Map.of("class", "NTS", "eu", "3", "us", "3")));
        rows.add(keyspace("meteorshower_transactions_0", Map.of("class", "NTS", "eu", "3")));
        rows.add(keyspace("shop", Map.of("class", "NTS", "us", "3")));
        rows.add(keyspace("meteorshower_transactions_12", Map.of("class", "NTS", "us", "3")));
        return Reply.of(Rows.ofMaps(rows));
    }

    private static Map<String, Object> keyspace(String name, Map<String, String> replication) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("keyspace_name", name);
        row.put("replication", replication);
        return row;
    }

    private static Map<String, Object> change(int index, String id, String content) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("place", 700L);
        row.put("idx", index);
        row.put("tbl", "shop.accounts");
        row.put("key", "{\"id\":" + id + "}");
        row.put("row", content);
        return row;
    }

    private static Reply answer(Asked asked) {
        String query = asked.query();
        if (query.contains("system_schema")) {
            return keyspaces();
        }
        if (query.contains("change_limits")) {
            return LIMITS;
        }
        return query.contains("change_buckets")
                ? Reply.of(Rows.ofMaps(List.of(Map.of("bucket", 2L))))
                : Reply.of(Rows.ofMaps(List.of(change(0, "1", null), change(0, "2", null), change(4, "1", null))));
    }

    @Test
    void theKeyspaceOfTheLocalDataCentreIsReadAtLocalQuorum() {
        us.behave(ChangeStreamStatementsTest::answer);

        ChangeBatch batch = ChangeStream.at(us.cql).read(ChangePosition.of(600), 10);

        assertThat(batch)
                .isEqualTo(new ChangeBatch(
                        List.of(
                                new ChangedTransaction(
                                        ChangePosition.of(700),
                                        List.of(
                                                new ChangedRow("shop.accounts", "{\"id\":1}", null),
                                                new ChangedRow("shop.accounts", "{\"id\":2}", null))),
                                new ChangedTransaction(
                                        new ChangePosition(700, 4),
                                        List.of(new ChangedRow("shop.accounts", "{\"id\":1}", null)))),
                        ChangePosition.of(1_000)));
        List<Asked> asked = us.asked().subList(1, us.asked().size());
        String limits = "SELECT oldest, below FROM meteorshower_transactions_12.change_limits WHERE part = 0";
        assertThat(asked)
                .extracting(Asked::query)
                .containsExactly(
                        limits,
                        "SELECT bucket FROM meteorshower_transactions_12.change_buckets"
                                + " WHERE part = 0 AND bucket >= ? AND bucket <= ?",
                        "SELECT place, idx, tbl, key, row FROM meteorshower_transactions_12.changes"
                                + " WHERE bucket = ? AND (place, idx) >= (?, ?)",
                        limits);
        assertThat(asked).extracting(Asked::consistency).containsOnly(ProtocolConstants.ConsistencyLevel.LOCAL_QUORUM);
    }

    @Test
    void contentIsGivenAsItIsStored() {
        us.behave(asked -> asked.query().contains(".changes ")
                ? Reply.of(Rows.ofMaps(List.of(change(0, "1", "{\"balance\":5}"))))
                : answer(asked));

        ChangeBatch batch = ChangeStream.at(us.cql, "us").read(ChangePosition.of(600), 10);

        assertThat(batch.transactions().get(0).rows().get(0).row()).isEqualTo("{\"balance\":5}");
    }

    @Test
    void theEndsAreThoseOfTheTable() {
        us.behave(ChangeStreamStatementsTest::answer);
        ChangeStream stream = ChangeStream.at(us.cql);

        assertThat(stream.oldest()).isEqualTo(ChangePosition.of(100));
        assertThat(stream.end()).isEqualTo(ChangePosition.of(1_000));
    }

    @Test
    void withoutAKeyspaceTheStreamIsOff() {
        us.behave(ChangeStreamStatementsTest::answer);

        assertThatThrownBy(() -> ChangeStream.at(us.cql, "asia"))
                .isInstanceOf(ChangesOffException.class)
                .hasMessageContaining("asia", "transactions: {changes_disk_mb: 1024}");
    }

    private static Reply keyspacesOf(String... names) {
        return Reply.of(Rows.ofMaps(Arrays.stream(names)
                .map(name -> keyspace(name, Map.of("class", "NTS", "us", "3")))
                .toList()));
    }

    /** What {@link #keyspacesOf} would answer, and which of them was read. */
    private String read(Function<CqlSession, ChangeStream> opening, String... names) {
        List<String> read = new ArrayList<>();
        us.behave(asked -> {
            if (asked.query().contains("system_schema")) {
                return keyspacesOf(names);
            }
            read.add(asked.query());
            return answer(asked);
        });
        assertThat(opening.apply(us.cql).end()).isEqualTo(ChangePosition.of(1_000));
        return read.get(0).replaceAll(".*FROM (\\w+)\\..*", "$1");
    }

    @Test
    void theStreamOfAllDataCentresIsReadWhereNoGroupIsChosen() {
        assertThat(read(ChangeStream::at, "meteorshower_transactions_g3_0", "meteorshower_transactions_1"))
                .isEqualTo("meteorshower_transactions_1");
    }

    @Test
    void theOnlyGroupsStreamIsReadWhereThereIsNoOther() {
        assertThat(read(ChangeStream::at, "meteorshower_transactions_g3_0", "meteorshower_transactions_g0_0"))
                .isEqualTo("meteorshower_transactions_g3_0");
    }

    @Test
    void theChosenGroupsStreamIsRead() {
        String[] all = {
            "meteorshower_transactions_g3_0",
            "meteorshower_transactions_g6_1",
            "meteorshower_transactions_g2147483647_1",
            "meteorshower_transactions_1"
        };
        assertThat(read(cql -> ChangeStream.at(cql, "us", 6), all)).isEqualTo("meteorshower_transactions_g6_1");
        assertThat(read(cql -> ChangeStream.at(cql, "us", 0), all)).isEqualTo("meteorshower_transactions_1");
        assertThat(read(cql -> ChangeStream.at(cql, "us", Integer.MAX_VALUE), all))
                .isEqualTo("meteorshower_transactions_g2147483647_1");
        assertThatThrownBy(() -> ChangeStream.at(us.cql, "us", -1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void amongSeveralGroupsOneHasToBeChosen() {
        us.behave(asked -> keyspacesOf("meteorshower_transactions_g6_1", "meteorshower_transactions_g3_0"));

        assertThatThrownBy(() -> ChangeStream.at(us.cql))
                .isInstanceOf(ChangesOffException.class)
                .hasMessageContaining("meteorshower_transactions_g3_0, meteorshower_transactions_g6_1")
                .hasMessageContaining("ChangeStream.at(session, \"us\", 3)")
                .hasMessageNotContaining("changes_disk_mb");
        assertThatThrownBy(() -> ChangeStream.at(us.cql, "us", 0))
                .isInstanceOf(ChangesOffException.class)
                .hasMessageContaining("no part in transactions of all data centres")
                .hasMessageContaining("there is meteorshower_transactions_g3_0, meteorshower_transactions_g6_1");
        assertThatThrownBy(() -> ChangeStream.at(us.cql, "us", 5)).hasMessageContaining("of group 5");
    }

    @Test
    void withoutTablesTheStreamIsOff() {
        us.behave(asked -> asked.query().contains("change_limits") ? Reply.error(ErrorCode.INVALID) : answer(asked));

        assertThatThrownBy(ChangeStream.at(us.cql)::end)
                .isInstanceOf(ChangesOffException.class)
                .hasMessageContaining("meteorshower_transactions_12");
    }

    @Test
    void withoutLimitsTheStreamIsOff() {
        Map<String, Object> unset = new LinkedHashMap<>();
        unset.put("oldest", null);
        unset.put("below", null);
        us.behave(asked ->
                asked.query().contains("change_limits") ? Reply.of(Rows.ofMaps(List.of(unset))) : answer(asked));

        assertThatThrownBy(ChangeStream.at(us.cql)::oldest).isInstanceOf(ChangesOffException.class);
    }

    @Test
    void whatTheDriverThrowsIsThrown() {
        us.behave(asked -> asked.query().contains(".changes ") ? Reply.unavailable() : answer(asked));
        ChangeStream stream = ChangeStream.at(us.cql);

        assertThatThrownBy(() -> stream.read(ChangePosition.of(600), 10)).isInstanceOf(DriverException.class);
    }
}
