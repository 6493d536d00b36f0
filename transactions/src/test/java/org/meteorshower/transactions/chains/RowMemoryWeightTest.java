/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.chains;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.github.jamm.MemoryMeter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.meteorshower.protocol.Now;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.language.Weight;
import org.meteorshower.transactions.log.Version;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.RowWrite;
import org.meteorshower.transactions.port.StoredRow;
import org.meteorshower.transactions.port.Turn;

/** What rows in memory are said to take is added up as they change: it has to be what weighing all of them tells. */
class RowMemoryWeightTest {
    private static final int STATE = 296;
    private static final int VERSION = 32;
    private static final int KEYS = 24;
    private static final int STEPS = 4_000;

    private final Turn turn = new Turn(new Members(0, 1));
    private final RowMemory memory = new RowMemory(turn::emit, 12, 1_000_000, 0, 0);

    /** What is in memory; no versions where a row is not read yet. */
    private final Map<RowKey, List<StoredRow>> rows = new TreeMap<>();

    private final Map<RowKey, StoredRow> tables = new TreeMap<>();
    private final List<RowState> pinned = new ArrayList<>();
    private Random random = new Random(0);
    private int edition;
    private long count;
    private long cut;
    private long keepFrom;
    private long dirtyBytes;
    private int most;
    private int evicted;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void whatIsAddedUpIsWhatWeighingTells(long seed) {
        turn.begin(new Now(0, 0));
        random = new Random(seed);
        for (int step = 0; step < STEPS; step++) {
            boolean areHot = step < STEPS / 2;
            switch (random.nextInt(areHot ? 16 : 12)) {
                case 0 ->
                    keepFrom = random.nextInt(2) == 0 ? keepFrom : keepFrom + random.nextLong(count - keepFrom + 1);
                case 1 -> pin();
                case 2 -> unpin();
                case 3 -> writeBehind();
                case 4 -> memory.flush(count, List.of());
                case 5 -> jumpAtTimes();
                case 6, 7 -> load(key());
                default -> write(areHot ? new RowKey("t", "hot" + random.nextInt(2)) : key());
            }
            isRight();
        }
        assertThat(most).as("versions of one row").isGreaterThan(4);
        assertThat(evicted).isGreaterThan(20);
    }

    private RowKey key() {
        return new RowKey("t", "k".repeat(1 + random.nextInt(KEYS)));
    }

    private Row row() {
        Row row = Row.ABSENT.with("c", Value.of("x".repeat(random.nextInt(60))));
        for (int columns = random.nextInt(4); columns > 0; columns--) {
            row = row.with("c" + random.nextInt(5), Value.of(random.nextInt(9)));
        }
        return row;
    }

    private void load(RowKey key) {
        RowState state = memory.state(key);
        rows.computeIfAbsent(key, absent -> new ArrayList<>());
        if (random.nextInt(4) > 0) {
            StoredRow stored = tables.getOrDefault(key, StoredRow.NEVER_WRITTEN);
            List<RowState> loaded = memory.loaded(edition, Map.of(key, stored));
            if (rows.get(key).isEmpty()) {
                assertThat(loaded).containsExactly(state);
                rows.get(key).add(stored);
            }
        }
    }

    private void write(RowKey key) {
        load(key);
        if (rows.get(key).isEmpty()) {
            return;
        }
        Row row = row();
        long version = Version.of(count++, 0);
        keepFrom = random.nextInt(40) == 0 ? count : keepFrom; // nobody reads older ones
        boolean isOfRange = random.nextBoolean();
        memory.write(memory.state(key), version, row, keepFrom, isOfRange ? cut : keepFrom);
        List<StoredRow> versions = rows.get(key);
        versions.add(new StoredRow(version, row));
        dirtyBytes += VERSION + Weight.of(row);
        List<StoredRow> kept = new ArrayList<>();
        for (int i = 0; i < versions.size(); i++) {
            if (i == versions.size() - 1
                    || versions.get(i + 1).version() >= Version.endOf(keepFrom)
                    || (isOfRange && isAsOf(cut, versions.get(i), versions.get(i + 1)))) {
                kept.add(versions.get(i));
            }
        }
        rows.put(key, kept);
        most = Math.max(most, kept.size());
    }

    private static boolean isAsOf(long count, StoredRow version, StoredRow next) {
        return version.version() < Version.endOf(count) && next.version() >= Version.endOf(count);
    }

    private void writeBehind() {
        cut = keepFrom;
        List<RowWrite> written = memory.unwritten(cut, 0, 0);
        written.forEach(write -> tables.put(write.key(), write.row()));
        dirtyBytes = 0;
        memory.durable(written, cut);
    }

    private void pin() {
        if (pinned.size() < 3) {
            RowKey key = key();
            load(key);
            RowState state = memory.state(key);
            state.pins++;
            pinned.add(state);
        }
    }

    private void unpin() {
        if (!pinned.isEmpty()) {
            pinned.remove(random.nextInt(pinned.size())).pins--;
        }
    }

    /** The tables are another edition's; what was written and is not in it is gone. */
    private void jumpAtTimes() {
        if (random.nextInt(30) == 0) {
            keepFrom = ++count;
            cut = count;
            memory.jump(++edition, count);
            rows.clear();
            pinned.clear();
            dirtyBytes = 0;
        }
    }

    private void isRight() {
        List<RowKey> keys = new ArrayList<>(rows.keySet());
        Collections.shuffle(keys, random); // to ask is to use
        long bytes = 0;
        for (RowKey key : keys) {
            List<StoredRow> versions = rows.get(key);
            Expected newest = memory.expected(List.of(key));
            if (newest.unread() == 1 && !versions.isEmpty()) {
                rows.remove(key); // It was let go.
                evicted++;
                continue;
            }
            long weight = (long) STATE + Weight.of(key);
            for (StoredRow version : versions) {
                weight += VERSION + Weight.of(version.row());
            }
            bytes += weight;
            assertThat(memory.state(key).weight()).as("%s", versions).isEqualTo(weight);
            if (!versions.isEmpty()) {
                StoredRow last = versions.get(versions.size() - 1);
                assertThat(memory.state(key).newest()).isEqualTo(last);
                assertThat(newest.bytes()).isEqualTo(VERSION + Weight.of(last.row()));
            }
        }
        assertThat(memory.bytes()).isEqualTo(bytes);
        assertThat(memory.dirtyBytes()).isEqualTo(dirtyBytes);
    }

    @Test
    void aRowThatIsNotReadYetTakesNoMoreThanItIsSaidTo() {
        MemoryMeter meter = MemoryMeter.builder().build();
        RowKey key = new RowKey("t", "k");
        assertThat(meter.measureDeep(new RowState(key)) - meter.measureDeep(key))
                .isLessThanOrEqualTo(STATE);
    }
}
