/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.power;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Update;
import org.meteorshower.runtime.Journal;
import org.meteorshower.runtime.UpdateCodec;
import org.meteorshower.runtime.journal.JournalOptions;
import org.meteorshower.runtime.journal.LoggedJournal;
import org.meteorshower.runtime.journal.MappedJournal;
import org.meteorshower.runtime.journal.SyncPolicy;

/**
 * Journals and retires without end, and says what it found at first, what is safe, and what it is about to retire.
 * Where there is a {@link StoreLog} beside it, all that was safe is to be found in one of the two.
 */
final class JournalProcess {
    private static final JournalOptions OPTIONS = new JournalOptions(64 << 10, 64L << 20, SyncPolicy.ALWAYS);
    private static final int AT_ONCE = 12;

    /** What is beside the journal. */
    enum Beside {
        /** What is retired is gone. */
        NOTHING,
        /** The store's own log, which nobody waits for but the journal. */
        LOG,
        /** The same, and the journal does not wait either: a mistake. */
        LOG_NOT_AWAITED
    }

    private final Journal journal;
    private final @Nullable StoreLog log;
    private final PrintStream out;
    private final Random random = new Random();
    private final List<Long> live = new ArrayList<>();
    private long next = 1;

    /** A mutation that is a number. */
    private record Numbered(long number) implements Update {
        @Override
        public PartitionKey key() {
            return new PartitionKey(
                    new UUID(1, 1), ByteBuffer.allocate(8).putLong(number % 17).array());
        }

        @Override
        public MutationId id() {
            return new MutationId(number, ~number);
        }

        @Override
        public long oldestTimestampMicros() {
            return number;
        }

        @Override
        public long shape() {
            return 7;
        }

        @Override
        public long row() {
            return ANY_ROW;
        }

        @Override
        public int sizeBytes() {
            return Long.BYTES + padding(number);
        }

        static int padding(long number) {
            return (int) (number * 31 % 1_500);
        }
    }

    private static final UpdateCodec CODEC = new UpdateCodec() {
        @Override
        public byte[] encode(Update update) {
            long number = ((Numbered) update).number();
            ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES + Numbered.padding(number));
            return bytes.putLong(number).array();
        }

        @Override
        public Update decode(ByteBuffer bytes) {
            return new Numbered(bytes.getLong());
        }
    };

    private JournalProcess(Path folder, Beside beside, PrintStream out) throws Exception {
        this.out = out;
        MappedJournal files = MappedJournal.open(folder.resolve("journal"), CODEC, OPTIONS);
        log = beside == Beside.NOTHING ? null : new StoreLog(folder.resolve("log"));
        journal = beside == Beside.LOG && log != null ? new LoggedJournal(files, log) : files;
    }

    /** Where the journal is, and what is {@link Beside} it. */
    public static void main(String[] arguments) throws Exception {
        JournalProcess process = new JournalProcess(Path.of(arguments[0]), Beside.valueOf(arguments[1]), System.out);
        process.tellFound();
        while (true) {
            process.more();
        }
    }

    private void tellFound() throws IOException {
        for (Journal.JournaledUpdate each : journal.contents().updates()) {
            long number = ((Numbered) each.update()).number();
            live.add(number);
            next = Math.max(next, number + 1);
        }
        List<Long> found = new ArrayList<>(live);
        if (log != null) {
            log.append(live); // they are applied once more
            found.addAll(log.found());
            next = Math.max(
                    next, found.stream().mapToLong(Long::longValue).max().orElse(0) + 1);
        }
        next += 1_000_000; // none that was said before and is lost
        out.println("found" + text(found));
    }

    private static String text(List<Long> numbers) {
        return numbers.stream().map(number -> " " + number).collect(Collectors.joining());
    }

    private void more() throws Exception {
        List<Long> written = new ArrayList<>();
        for (int i = random.nextInt(AT_ONCE); i >= 0; i--) {
            journal.applied(new Numbered(next), next);
            written.add(next++);
        }
        while (live.size() > (log == null ? 150 : 3)) {
            long number = live.remove(random.nextInt(live.size()));
            out.println("retire " + number);
            Numbered update = new Numbered(number);
            journal.retired(update.key(), update.id());
        }
        if (journal.safety().await(journal.safety().written(), System.nanoTime() + TimeUnit.MINUTES.toNanos(1))) {
            if (log != null) {
                log.append(written);
            }
            out.println("safe" + text(written));
            live.addAll(written);
        }
    }
}
