/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.power;

import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Update;
import org.meteorshower.runtime.Journal;
import org.meteorshower.runtime.UpdateCodec;
import org.meteorshower.runtime.journal.JournalOptions;
import org.meteorshower.runtime.journal.MappedJournal;
import org.meteorshower.runtime.journal.SyncPolicy;

/** Journals and retires without end, and says what it found at first, what is safe, and what it is about to retire. */
final class JournalProcess {
    private static final JournalOptions OPTIONS = new JournalOptions(64 << 10, 64L << 20, SyncPolicy.ALWAYS);
    private static final int KEPT = 150;
    private static final int AT_ONCE = 12;

    private final MappedJournal journal;
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

    private JournalProcess(Path folder, PrintStream out) throws Exception {
        this.out = out;
        journal = MappedJournal.open(folder.resolve("journal"), CODEC, OPTIONS);
    }

    /** Where the journal is. */
    public static void main(String[] arguments) throws Exception {
        JournalProcess process = new JournalProcess(Path.of(arguments[0]), System.out);
        process.tellFound();
        while (true) {
            process.more();
        }
    }

    private void tellFound() {
        for (Journal.JournaledUpdate each : journal.contents().updates()) {
            long number = ((Numbered) each.update()).number();
            live.add(number);
            next = Math.max(next, number + 1);
        }
        next += 1_000_000; // none that was said before and is lost
        out.println("found" + text(live));
    }

    private static String text(List<Long> numbers) {
        return numbers.stream().map(number -> " " + number).collect(Collectors.joining());
    }

    private void more() throws InterruptedException {
        List<Long> written = new ArrayList<>();
        for (int i = random.nextInt(AT_ONCE); i >= 0; i--) {
            journal.applied(new Numbered(next), next);
            written.add(next++);
        }
        while (live.size() > KEPT) {
            long number = live.remove(random.nextInt(live.size()));
            out.println("retire " + number);
            Numbered update = new Numbered(number);
            journal.retired(update.key(), update.id());
        }
        if (journal.safety().await(journal.safety().written(), System.nanoTime() + TimeUnit.MINUTES.toNanos(1))) {
            out.println("safe" + text(written));
            live.addAll(written);
        }
    }
}
