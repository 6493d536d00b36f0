/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.meteorshower.cassandra.memory.MemoryBudget.UnworkableException;
import org.meteorshower.cassandra.memory.MemoryBudget.Use;

final class MemoryBudgetTest {
    private static final long MB = 1 << 20;
    private static final long MUTATION = 15 * MB;

    private static MemoryBudget budget(long heapMegabytes) throws UnworkableException {
        return MemoryBudget.of(heapMegabytes * MB, MemoryShares.DEFAULTS, MUTATION);
    }

    private static void assertUnworkable(long heapMegabytes, MemoryShares shares, String... parts) {
        assertThatThrownBy(() -> MemoryBudget.of(heapMegabytes * MB, shares, MUTATION))
                .isInstanceOf(UnworkableException.class)
                .message()
                .contains(parts);
    }

    @ParameterizedTest
    @ValueSource(longs = {128, 256, 512, 1_024, 8_192, 65_536})
    void theDefaultsFollowFromTheHeapAndLeaveMostOfItToCassandra(long heapMegabytes) throws UnworkableException {
        MemoryBudget budget = budget(heapMegabytes);

        assertThat(budget.limitBytes()).isLessThan(heapMegabytes * MB * 55 / 100);
        assertThat(Arrays.stream(MemoryUser.values()).mapToLong(budget::limit).sum())
                .isEqualTo(budget.limitBytes());
        assertThat(budget.limit(MemoryUser.RECORDS)).isEqualTo(heapMegabytes * MB / 10);
    }

    @ParameterizedTest
    @ValueSource(longs = {128, 256, 512, 8_192})
    void whoHoldsWritesCanHoldTheLargest(long heapMegabytes) throws UnworkableException {
        MemoryBudget budget = budget(heapMegabytes);

        for (MemoryUser user : new MemoryUser[] {
            MemoryUser.RECORDS, MemoryUser.WAITING_WRITES, MemoryUser.MESSAGES_TO_SEND, MemoryUser.MESSAGES_RECEIVED
        }) {
            assertThat(budget.limit(user)).isGreaterThan(budget.largestWriteBytes());
        }
    }

    @Test
    void theLargestWriteIsCassandrasUnlessTheHeapIsSmall() throws UnworkableException {
        assertThat(budget(8_192).largestWriteBytes()).isEqualTo(MUTATION);
        assertThat(budget(256).largestWriteBytes()).isEqualTo(8 * MB);
    }

    @Test
    void aShareCanBeChanged() throws UnworkableException {
        MemoryBudget budget =
                MemoryBudget.of(1_000 * MB, new MemoryShares(Map.of(MemoryUser.TRANSACTION_ROWS, 0.15), 4), MUTATION);

        assertThat(budget.limit(MemoryUser.TRANSACTION_ROWS)).isEqualTo(150 * MB);
        assertThat(budget.largestWriteBytes()).isEqualTo(4 * MB);
    }

    @Test
    void sharesBeyondTheHeapAreRefusedByName() {
        assertUnworkable(
                1_000,
                new MemoryShares(Map.of(MemoryUser.RECORDS, 0.3, MemoryUser.TRANSACTION_ROWS, 0.1), null),
                "740 MB",
                "600 MB",
                "memory.records: 0.3",
                "memory.transaction_rows: 0.1",
                "0.14",
                "-Xmx");
    }

    @Test
    void aShareThatHoldsNoWriteIsRefusedWithWhatWouldDo() throws UnworkableException {
        assertUnworkable(
                256,
                new MemoryShares(Map.of(MemoryUser.MESSAGES_TO_SEND, 0.01), null),
                "'memory.messages_to_send' is 0.01",
                "2.6 MB",
                "256 MB",
                "memory.largest_write_mb",
                "set it to 0.032 or more");
        assertThat(MemoryBudget.of(
                                256 * MB, new MemoryShares(Map.of(MemoryUser.MESSAGES_TO_SEND, 0.032), null), MUTATION)
                        .limit(MemoryUser.MESSAGES_TO_SEND))
                .isEqualTo((long) (0.032 * 256 * MB));
    }

    @Test
    void aWriteTooLargeForTheHeapIsRefusedByItsOption() {
        assertUnworkable(64, new MemoryShares(Map.of(), 15), "memory.largest_write_mb: 15");
        assertUnworkable(8_192, new MemoryShares(Map.of(), 16), "'memory.largest_write_mb' is 16", "15 or less");
    }

    @Test
    void usedPeakAndTimesFullAreKept() throws UnworkableException {
        MemoryBudget budget = budget(1_000);
        long limit = budget.limit(MemoryUser.ONLINE_CHECK);
        AtomicLong here = new AtomicLong();
        AtomicLong there = new AtomicLong(7);
        budget.register(MemoryUser.ONLINE_CHECK, here::get);
        budget.register(MemoryUser.ONLINE_CHECK, there::get);

        assertThat(budget.look()).containsExactly(new Use(MemoryUser.ONLINE_CHECK, 7, limit, 7, 0));
        here.set(limit);
        budget.look();
        assertThat(budget.look()).containsExactly(new Use(MemoryUser.ONLINE_CHECK, limit + 7, limit, limit + 7, 1));
        here.set(0);
        assertThat(budget.look()).containsExactly(new Use(MemoryUser.ONLINE_CHECK, 7, limit, limit + 7, 1));
        here.set(limit);
        assertThat(budget.look().get(0).timesFull()).isEqualTo(2);
    }

    @Test
    void whoCountsItsEndItselfIsBelieved() throws UnworkableException {
        MemoryBudget budget = budget(1_000);
        budget.register(MemoryUser.STREAMS, () -> 0, () -> 12);

        assertThat(budget.look().get(0).timesFull()).isEqualTo(12);
    }

    @Test
    void eachShareIsDocumentedWithWhatHappensAtItsEnd() throws IOException {
        Pattern row = Pattern.compile("(?m)^\\| `memory\\.([a-z_]+)` \\| (0\\.\\d+) \\|[^|]*\\|[^|]*\\| ([^|]+) \\|$");
        Map<String, String> documented = new TreeMap<>();
        Matcher option = row.matcher(Files.readString(Path.of("..", "docs", "CONFIGURATION.md")));
        while (option.find()) {
            documented.put(option.group(1), Double.parseDouble(option.group(2)) + " " + option.group(3));
        }
        Map<String, String> known = new TreeMap<>();
        Arrays.stream(MemoryUser.values())
                .forEach(user -> known.put(user.text(), user.share() + " " + user.atItsEnd()));
        assertThat(documented).isEqualTo(known);
    }
}
