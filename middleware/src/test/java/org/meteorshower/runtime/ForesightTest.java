/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.meteorshower.driver.MutationRefusedException;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.History;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.Recovery;
import org.meteorshower.protocol.ReplicaGroup;
import org.meteorshower.protocol.SequentialReads;
import org.meteorshower.protocol.Settings;
import org.meteorshower.protocol.Update;
import org.meteorshower.runtime.journal.JournalOptions;
import org.meteorshower.runtime.journal.MappedJournal;
import org.meteorshower.runtime.journal.SyncPolicy;

/** What a mutation's rows hold is read before the core asks for it, and counts where nothing has stirred since. */
final class ForesightTest {
    private static final NodeId SELF = NodeId.of(1);
    private static final NodeId PEER = NodeId.of(2);
    private static final JournalOptions SMALL = new JournalOptions(64 << 10, 64L << 20, SyncPolicy.batch(1));

    private final List<MutationId> asked = new ArrayList<>();
    private final List<MutationId> read = new ArrayList<>();
    private @Nullable Write meanwhile;
    private MappedJournal journal;
    private MeteorShower node;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        journal = MappedJournal.open(folder, Write.CODEC, SMALL);
        node = new MeteorShower(
                new SequentialReads(
                        SELF, Settings.DEFAULTS, key -> ReplicaGroup.majority(SELF, PEER), Recovery.none(1)),
                Clock.system(),
                journal,
                new Silence(),
                new StirredStore(),
                alarm -> {});
        node.peersChanged(Set.of(PEER));
        node.tableEnabled(Write.TABLE, true);
        node.listenToSteps((event, effects, now) -> {
            if (event instanceof Event.Intended intended) {
                asked.add(intended.update().id());
            }
        });
    }

    @AfterEach
    void stop() throws Exception {
        journal.close();
    }

    @Test
    void aMutationOfAPartitionAtRestTakesOneStep() throws Exception {
        Write write = new Write(1);
        assertThat(node.beforeApply(write)).isTrue();
        assertThat(asked).containsExactly(write.id());
        assertThat(read).containsExactly(write.id());
    }

    @Test
    void whatWasReadBeforeAnotherMutationCameIsReadAgain() throws Exception {
        Write write = new Write(1);
        Write other = new Write(2);
        meanwhile = other;
        assertThat(node.beforeApply(write)).isTrue();
        assertThat(asked).containsExactly(other.id(), write.id(), write.id());
        assertThat(read).containsExactly(write.id(), other.id(), write.id());
    }

    @Test
    void whileSomethingIsInFlightNothingIsReadAhead() throws Exception {
        assertThat(node.beforeApply(new Write(1))).isTrue();
        asked.clear();
        read.clear();
        Write write = new Write(2);
        assertThat(node.beforeApply(write)).isTrue();
        assertThat(asked).containsExactly(write.id(), write.id());
        assertThat(read).containsExactly(write.id());
    }

    /** While it is read, another mutation comes, once. Its answers are about the mutation alone that asked. */
    private final class StirredStore implements Store {
        @Override
        public History historyFor(Update update) {
            read.add(update.id());
            Write other = meanwhile;
            meanwhile = null;
            if (other != null) {
                try {
                    node.beforeApply(other);
                } catch (MutationRefusedException e) {
                    throw new IllegalStateException(e);
                }
            }
            return new HistoryOf(update.id());
        }

        @Override
        public void apply(Update update) {}
    }

    private record HistoryOf(MutationId id) implements History {
        @Override
        public boolean covers(Update update) {
            return update.id().equals(id);
        }

        @Override
        public boolean coversRow(long row) {
            return false;
        }

        @Override
        public long sizeBytes() {
            return 0;
        }

        @Override
        public History extendedBy(History later) {
            return later;
        }

        @Override
        public History absorbing(Update retired, Collection<Update> remaining) {
            return this;
        }
    }
}
