/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.exceptions.RequestValidationException;
import org.apache.cassandra.service.pager.PagingState;
import org.apache.cassandra.transport.ProtocolVersion;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.Test;

/** Ranges of rows outside of transactions come in pages, as large as their client asks for. */
class RangePagesTest {
    private final Shop shop =
            new Shop("CREATE TABLE t (k int, a text, b int, v int, s int static, PRIMARY KEY (k, a, b))"
                    + " WITH CLUSTERING ORDER BY (a DESC, b ASC)");

    private void fill(int rows) {
        for (int i = 0; i < rows; i++) {
            shop.plain("INSERT INTO t (k, a, b, v) VALUES (1, ?, ?, ?)", "a" + i / 10, i % 10, i);
        }
    }

    private static PagingState stateOf(ResultMessage page) {
        PagingState state = ((ResultMessage.Rows) page).result.metadata.getPagingState();
        return state == null // as the client sends it back
                ? null
                : PagingState.deserialize(state.serialize(ProtocolVersion.CURRENT), ProtocolVersion.CURRENT);
    }

    private ResultMessage page(String text, int size, PagingState behind) {
        return shop.run(
                shop.plainPlan(text),
                QueryOptions.create(
                        ConsistencyLevel.QUORUM,
                        List.of(),
                        false,
                        size,
                        behind,
                        ConsistencyLevel.SERIAL,
                        ProtocolVersion.CURRENT,
                        null));
    }

    private List<List<String>> pages(String text, int size) {
        List<List<String>> pages = new ArrayList<>();
        PagingState behind = null;
        do {
            ResultMessage page = page(text, size, behind);
            pages.add(Shop.texts(page));
            behind = stateOf(page);
        } while (behind != null);
        return pages;
    }

    @Test
    void allPagesTogetherAreTheWholeRange() {
        fill(25);
        for (String text : List.of(
                "SELECT a, b, v FROM t WHERE k = 1",
                "SELECT a, b, v FROM t WHERE k = 1 ORDER BY a ASC, b DESC",
                "SELECT b, v FROM t WHERE k = 1 AND a = 'a1' AND b > 2",
                "SELECT v FROM t WHERE k = 1 AND a >= 'a1' ORDER BY a ASC",
                "SELECT v FROM t WHERE k = 1 LIMIT 17",
                "SELECT v FROM t WHERE k = 2")) {
            List<String> whole = Shop.texts(page(text, -1, null));
            for (int size : new int[] {1, 4, 7, 24, 25, 26}) {
                List<List<String>> pages = pages(text, size);
                assertThat(pages.stream().flatMap(List::stream))
                        .as(text + " by " + size)
                        .isEqualTo(whole);
                assertThat(pages).allSatisfy(page -> assertThat(page).hasSizeLessThanOrEqualTo(size));
            }
        }
    }

    @Test
    void aRangeThatIsTooLargeAsAWholeComesInPages() {
        fill(1_101);
        assertThatThrownBy(() -> page("SELECT v FROM t WHERE k = 1", -1, null)).hasMessageContaining("500");
        assertThat(pages("SELECT v FROM t WHERE k = 1", 5_000))
                .extracting(List::size)
                .containsExactly(500, 500, 101);
        assertThat(pages("SELECT v FROM t WHERE k = 1 LIMIT 700", 5_000))
                .extracting(List::size)
                .containsExactly(500, 200);
        assertThatThrownBy(() -> page("SELECT v FROM t WHERE k = 1 LIMIT 700", -1, null))
                .hasMessageContaining("LIMIT 700");
        assertThatThrownBy(
                        () -> shop.plan("BEGIN TRANSACTION SELECT v FROM t WHERE k = 1 LIMIT 700; COMMIT TRANSACTION"))
                .hasMessageContaining("outside of a transaction, in pages");
    }

    @Test
    void whatIsWrittenMeanwhileIsSeenBehindThePageAndNotBefore() {
        fill(4);
        ResultMessage first = page("SELECT b FROM t WHERE k = 1", 2, null);
        assertThat(Shop.texts(first)).containsExactly("0", "1");
        shop.plain("DELETE FROM t WHERE k = 1 AND a = 'a0' AND b IN (1, 2)");
        shop.plain("INSERT INTO t (k, a, b) VALUES (1, 'a0', 7)");
        shop.plain("INSERT INTO t (k, a, b) VALUES (1, 'a0', -7)");
        assertThat(Shop.texts(page("SELECT b FROM t WHERE k = 1", 5, stateOf(first))))
                .containsExactly("3", "7");
    }

    @Test
    void staticColumnsAreThoseOfEachRowAndOfNoneOnAnEmptyPage() {
        fill(4);
        shop.plain("UPDATE t SET s = 9 WHERE k = 1");
        assertThat(pages("SELECT b, s FROM t WHERE k = 1", 2))
                .containsExactly(List.of("0, 9", "1, 9"), List.of("2, 9", "3, 9"), List.of());
    }

    @Test
    void aTransactionHasNoPages() {
        fill(5);
        Plan whole = shop.plan("BEGIN TRANSACTION SELECT v FROM t WHERE k = 1; COMMIT TRANSACTION");
        ResultMessage all = shop.run(
                whole,
                QueryOptions.create(
                        ConsistencyLevel.QUORUM,
                        List.of(),
                        false,
                        2,
                        null,
                        ConsistencyLevel.SERIAL,
                        ProtocolVersion.CURRENT,
                        null));
        assertThat(Shop.texts(all)).hasSize(5);
        assertThat(stateOf(all)).isNull();
    }

    @Test
    void aStateOfSomethingElseIsRefused() {
        fill(4);
        PagingState other = Objects.requireNonNull(stateOf(page("SELECT b FROM t WHERE k = 1", 2, null)));
        for (PagingState bad : List.of(
                new PagingState(null, null, 5, 5),
                new PagingState(ByteBuffer.allocate(4), other.rowMark, 5, 5),
                new PagingState(other.partitionKey, other.rowMark, 0, 0),
                new PagingState(other.partitionKey, null, 5, 5))) {
            assertThatThrownBy(() -> page("SELECT b FROM t WHERE k = 1", 2, bad))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("begin again");
        }
        assertThatThrownBy(() -> page("SELECT b FROM t WHERE k = 1", -1, other)).hasMessageContaining("begin again");
        Shop others = new Shop("CREATE TABLE o (k int, c uuid, v int, PRIMARY KEY (k, c))");
        assertThatThrownBy(() -> others.run(
                        others.plainPlan("SELECT v FROM o WHERE k = 1"),
                        QueryOptions.create(
                                ConsistencyLevel.QUORUM,
                                List.of(),
                                false,
                                2,
                                other,
                                ConsistencyLevel.SERIAL,
                                ProtocolVersion.CURRENT,
                                null)))
                .isInstanceOf(InvalidRequestException.class);
    }

    /** It comes from the client. */
    @Test
    void aDamagedStateIsRefusedOrIsSomeOtherPlace() {
        fill(4);
        PagingState good = Objects.requireNonNull(stateOf(page("SELECT b FROM t WHERE k = 1", 2, null)));
        Random random = new Random(5);
        int refused = 0;
        for (int i = 0; i < 2_000; i++) {
            byte[] bytes = ByteBufferUtil.getArray(good.serialize(ProtocolVersion.CURRENT));
            for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            PagingState damaged;
            try {
                damaged = PagingState.deserialize(ByteBuffer.wrap(bytes), ProtocolVersion.CURRENT);
            } catch (RuntimeException e) {
                continue; // Cassandra's own, before anybody is asked
            }
            try {
                page("SELECT b FROM t WHERE k = 1", 2, damaged);
            } catch (RequestValidationException e) {
                refused++;
            }
        }
        assertThat(refused).isPositive();
    }
}
