/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.meteorshower.runtime.Journal.Contents;
import org.meteorshower.runtime.Journal.JournaledUpdate;

class JournalKillTest {
    private static final JournalOptions SMALL = new JournalOptions(64 << 10, 64L << 20, SyncPolicy.NEVER);
    private static final int KEPT = 500;

    @TempDir
    private Path folder;

    @Test
    void whatTheJournalWasToldSurvivesAKill() throws Exception {
        long lastIncarnation = 0;
        for (int kill = 0; kill < 3; kill++) {
            long last = runChildAndKill(100 + 150 * kill);
            try (MappedJournal journal = MappedJournal.open(folder, TestUpdate.CODEC, SMALL)) {
                Contents contents = journal.contents();
                Set<Long> numbers = new TreeSet<>();
                for (JournaledUpdate update : contents.updates()) {
                    long number = ((TestUpdate) update.update()).number();
                    assertThat(update.appliedMicros()).isEqualTo(number * 3);
                    numbers.add(number);
                }
                assertThat(last).isGreaterThan(1_000);
                for (long n = last - KEPT + 2; n <= last; n++) {
                    assertThat(numbers.remove(n)).as("mutation " + n).isTrue();
                }
                // The child may have come one mutation further than it could say.
                assertThat(List.of(last - KEPT + 1, last + 1)).containsAll(numbers);
                assertThat(contents.incarnation()).isGreaterThan(lastIncarnation + (kill == 0 ? 0 : 1));
                lastIncarnation = contents.incarnation();
                // The next child starts from nothing.
                contents.updates()
                        .forEach(u ->
                                journal.retired(u.update().key(), u.update().id()));
            }
        }
    }

    /** Returns the last number that the child said was journaled. */
    private long runChildAndKill(long millis) throws Exception {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Child.class.getName(),
                        folder.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        long last = 0;
        try (DataInputStream said = new DataInputStream(child.getInputStream())) {
            last = said.readLong();
            long killNanos = System.nanoTime() + millis * 1_000_000;
            while (last < 1_500 || System.nanoTime() < killNanos) {
                last = said.readLong();
            }
            // Not destroyForcibly, which also throws away what the child has said and nobody has read.
            assertThat(new ProcessBuilder("kill", "-9", Long.toString(child.pid()))
                            .start()
                            .waitFor())
                    .isZero();
            while (true) {
                last = said.readLong();
            }
        } catch (EOFException e) {
            // All it said before its death has been read.
        } finally {
            child.destroyForcibly();
        }
        assertThat(child.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(child.exitValue()).isEqualTo(128 + 9);
        return last;
    }

    /** Journals and retires without end, and says on its standard output what it has done. */
    static final class Child {
        private Child() {}

        public static void main(String[] arguments) throws IOException {
            MappedJournal journal = MappedJournal.open(Path.of(arguments[0]), TestUpdate.CODEC, SMALL);
            DataOutputStream say = new DataOutputStream(new FileOutputStream(FileDescriptor.out));
            byte[] line = new byte[8];
            for (long n = 1; ; n++) {
                journal.applied(TestUpdate.of(n), n * 3);
                if (n > KEPT) {
                    journal.retired(
                            TestUpdate.of(n - KEPT).key(),
                            TestUpdate.of(n - KEPT).id());
                }
                for (int i = 0; i < 8; i++) {
                    line[i] = (byte) (n >>> (56 - 8 * i));
                }
                // In one write: a number is said whole or not at all.
                say.write(line);
            }
        }
    }
}
