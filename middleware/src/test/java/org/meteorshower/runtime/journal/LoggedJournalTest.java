/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.meteorshower.runtime.Journal;
import org.meteorshower.runtime.Safety;

class LoggedJournalTest {
    private static final JournalOptions OPTIONS = new JournalOptions(64 << 10, 64L << 20, SyncPolicy.NEVER);

    @TempDir
    private Path folder;

    private final Log log = new Log();
    private Journal journal;

    /** What the store has written of its own log, and what of that is on disk. */
    private static final class Log implements Safety {
        long written;
        long safe;
        long awaited;
        boolean standsStill;

        @Override
        public long written() {
            return written;
        }

        @Override
        public boolean isSafe(long number) {
            return number <= safe;
        }

        @Override
        public boolean await(long number, long deadlineNanos) {
            awaited = number;
            safe = standsStill ? safe : number;
            return !standsStill;
        }

        @Override
        public void tell(Runnable safer, Consumer<RuntimeException> failed) {}
    }

    @BeforeEach
    void open() throws IOException {
        journal = new LoggedJournal(MappedJournal.open(folder, TestUpdate.CODEC, OPTIONS), log);
    }

    private void apply(long number) {
        journal.applied(TestUpdate.of(number), number);
        log.written++;
    }

    private void retire(long number) {
        journal.retired(TestUpdate.of(number).key(), TestUpdate.of(number).id());
    }

    /** Of which mutations a restart would know. */
    private List<Long> afterARestart() throws IOException {
        journal.close();
        List<Long> left = new ArrayList<>();
        try (MappedJournal opened = MappedJournal.open(folder, TestUpdate.CODEC, OPTIONS)) {
            opened.contents()
                    .updates()
                    .forEach(each -> left.add(each.update().id().timestampMicros()));
        }
        return left;
    }

    @Test
    void whatIsRetiredIsForgottenOnceTheLogHasItOnDisk() throws IOException {
        apply(1);
        apply(2);
        retire(1);
        log.safe = 2;
        apply(3);
        retire(3);
        assertThat(afterARestart()).containsExactly(2L, 3L);
    }

    @Test
    void whatIsOnDiskIsForgottenWithTheNextTick() throws IOException {
        apply(1);
        retire(1);
        log.safe = 1;
        assertThat(journal.isNearlyFull()).isFalse();
        log.safe = 0;
        assertThat(afterARestart()).isEmpty();
    }

    @Test
    void whatIsStampedAnewIsKept() throws IOException {
        apply(1);
        retire(1);
        apply(1);
        log.safe = 2;
        apply(2);
        assertThat(afterARestart()).containsExactly(1L, 2L);
    }

    @Test
    void aTableIsForgottenOnceTheLogHasAllOfItOnDisk() throws IOException {
        apply(1);
        journal.tableDropped(TestUpdate.TABLE);
        assertThat(log.awaited).isEqualTo(1);
        assertThat(afterARestart()).isEmpty();
    }

    @Test
    void whereTheLogDoesNotComeToTheDiskNothingMoreIsTaken() {
        long number = 1;
        for (; journal.obstacle(TestUpdate.of(number)) == null; number++) {
            apply(number);
            retire(number);
            assertThat(number).isLessThan(200_000);
        }
        assertThat(journal.obstacle()).contains("wait for the commit log");
        log.safe = log.written;
        for (int tick = 0; journal.obstacle() != null; tick++) {
            assertThat(journal.isNearlyFull()).isFalse();
            assertThat(tick).isLessThan(10_000);
        }
        assertThat(journal.obstacle(TestUpdate.of(number))).isNull();
        journal.close();
    }

    @Test
    void whereItNeverComesThereATableIsNotForgotten() {
        apply(1);
        log.standsStill = true;
        assertThatThrownBy(() -> journal.tableDropped(TestUpdate.TABLE))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("within 30 s");
        journal.close();
    }
}
