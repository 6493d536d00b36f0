/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.chains;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.meteorshower.transactions.language.Bytes;
import org.meteorshower.transactions.language.Cut;
import org.meteorshower.transactions.language.Kind;
import org.meteorshower.transactions.language.Partition;
import org.meteorshower.transactions.language.Range;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.RowOrder;
import org.meteorshower.transactions.language.Value;

/** What is known of a partition is what a plain set of its rows says. */
class KnownKeysTest {
    private static final int MOST = 6;

    private final SplittableRandom random = new SplittableRandom(7);

    private static RowOrder order(boolean descending) {
        return new RowOrder(
                List.of(new RowOrder.Column(Kind.INT, 4, descending), new RowOrder.Column(Kind.INT, 4, !descending)));
    }

    private static RowKey key(String partition, int a, int b) {
        HexFormat hex = HexFormat.of();
        return new RowKey("t", partition + ".00" + hex.toHexDigits(a) + hex.toHexDigits(b));
    }

    private static Value.Typed number(int value) {
        return new Value.Typed(Kind.INT, Bytes.copyOf(new byte[] {0, 0, 0, (byte) value}));
    }

    private RowKey anyKey(String partition) {
        return key(partition, random.nextInt(MOST), random.nextInt(MOST));
    }

    private Range.Edge edge() {
        return switch (random.nextInt(4)) {
            case 0 -> Range.Edge.OPEN;
            case 1 -> new Range.Edge(List.of(number(random.nextInt(MOST))), random.nextBoolean());
            default ->
                new Range.Edge(
                        List.of(number(random.nextInt(MOST)), number(random.nextInt(MOST))), random.nextBoolean());
        };
    }

    private Range range(String partition) {
        return new Range(
                new Partition("t", partition),
                order(partition.equals("q")),
                edge(),
                edge(),
                random.nextBoolean(),
                Range.ALL);
    }

    private static List<RowKey> in(Range range, Set<RowKey> rows) {
        List<RowKey> found =
                new ArrayList<>(rows.stream().filter(range::contains).toList());
        found.sort(range.inOrder());
        return found;
    }

    @Test
    void whatIsToldIsWhatThereIs() {
        KnownKeys known = new KnownKeys(20_000);
        TreeSet<RowKey> rows = new TreeSet<>();
        int told = 0;
        for (int i = 0; i < 40_000; i++) {
            String partition = random.nextBoolean() ? "p" : "q";
            switch (random.nextInt(6)) {
                case 0, 1, 2 -> {
                    RowKey key = anyKey(partition);
                    boolean exists = random.nextBoolean();
                    var unused = exists ? rows.add(key) : rows.remove(key);
                    known.isThere(key, exists);
                }
                case 3 -> {
                    Range range = range(partition);
                    known.learn(range, range.begins(), range.ends(), in(range, rows));
                }
                default -> told += isRight(known, range(partition), rows) ? 1 : 0;
            }
            assertThat(known.bytes()).isBetween(0L, 20_000L);
        }
        assertThat(told).as("so that the test can fail").isGreaterThan(2_000);
        known.clear();
        assertThat(known.bytes()).isZero();
        assertThat(known.from(range("p"), new Cut(List.of(), false), 5)).isNull();
    }

    /** Whether anything is known. */
    private boolean isRight(KnownKeys known, Range range, Set<RowKey> rows) {
        Cut place = range.backward() ? range.ends() : range.begins();
        Cut last = range.backward() ? range.begins() : range.ends();
        List<RowKey> all = new ArrayList<>();
        boolean any = false;
        for (KnownKeys.Told told = known.from(range, place, 3);
                told != null;
                told = known.from(range, place, 1 + random.nextInt(4))) {
            all.addAll(told.keys());
            any = true;
            place = told.until();
            if (place.equals(last)) {
                assertThat(all).isEqualTo(in(range, rows));
                return true;
            }
        }
        List<RowKey> there = in(range, rows);
        assertThat(all).isEqualTo(there.subList(0, Math.min(all.size(), there.size())));
        return any;
    }

    @Test
    void whatIsNotAskedForGoesFirst() {
        KnownKeys known = new KnownKeys(3_000);
        for (String partition : List.of("a", "b", "c")) {
            Range all = all(partition);
            known.learn(all, all.begins(), all.ends(), List.of(key(partition, 1, 1)));
            assertThat(known.from(all("a"), all.begins(), 1)).isNotNull();
        }
        known.learn(all("d"), all("d").begins(), all("d").ends(), List.of(key("d", 1, 1), key("d", 1, 2)));
        known.learn(all("e"), all("e").begins(), all("e").ends(), List.of());
        assertThat(known.from(all("b"), all("b").begins(), 1)).isNull();
        assertThat(known.from(all("e"), all("e").begins(), 1)).isNotNull();
    }

    private static Range all(String partition) {
        return new Range(
                new Partition("t", partition), order(false), Range.Edge.OPEN, Range.Edge.OPEN, false, Range.ALL);
    }
}
