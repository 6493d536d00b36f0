/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime.journal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.meteorshower.driver.JournalWriter.TableState;
import org.meteorshower.fuzzing.Fuzz;
import org.meteorshower.fuzzing.Target;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.Update;
import org.meteorshower.runtime.UpdateCodec;

/** A journal's file is read, or taken for damaged, and nothing else. */
class JournalFuzzTest {
    private static final int FILE_BYTES = 2_048;

    /**
     * Says that bytes are no update as its interface wants it said; the test's own would take them for a lost check.
     */
    private static final UpdateCodec CODEC = new UpdateCodec() {
        @Override
        public byte[] encode(Update update) {
            return TestUpdate.CODEC.encode(update);
        }

        @Override
        public Update decode(ByteBuffer bytes) {
            try {
                return TestUpdate.CODEC.decode(bytes);
            } catch (AssertionError e) {
                throw new IllegalArgumentException(e);
            }
        }
    };

    @TempDir
    private Path folder;

    /** One file, damaged after it was written: the checksums are to tell. */
    private static final class DamagedFiles implements Target {
        private final Path file;
        private final ForcedMark mark;
        private final MappedByteBuffer memory;

        DamagedFiles(Path folder) {
            file = folder.resolve("memory");
            try {
                memory = SegmentFiles.create(file, FILE_BYTES, false);
                mark = new ForcedMark(folder);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public Sample sample(SplittableRandom random) {
            List<byte[]> entries = Entries.valid(random);
            return new Sample(written(entries), Entries.live(entries));
        }

        @Override
        public Object decode(byte[] input) throws IOException {
            int bytes = Math.min(FILE_BYTES, Math.max(input.length, Segment.FIRST_OFFSET + Segment.END_BYTES));
            memory.put(0, Arrays.copyOf(input, bytes));
            Segment segment = new Segment(1, file, memory.slice(0, bytes));
            List<Long> live = new ArrayList<>();
            for (LiveEntry entry : new Recovery(List.of(segment), mark, CODEC).live) {
                try (MappedReading reading = new MappedReading(entry, CODEC)) {
                    live.add(((TestUpdate) reading.read()).number());
                }
            }
            return live;
        }

        @Override
        public boolean declares(Throwable thrown) {
            return thrown instanceof JournalDamagedException;
        }

        final byte[] written(List<byte[]> entries) {
            memory.put(0, new byte[FILE_BYTES]);
            Segment segment = new Segment(1, file, memory.slice(0, FILE_BYTES));
            segment.start();
            for (byte[] entry : entries) {
                if (entry.length > 0 && segment.hasRoomFor(entry.length)) {
                    segment.body(entry.length).put(entry);
                    segment.commit(entry.length);
                }
            }
            byte[] written = new byte[FILE_BYTES];
            memory.get(0, written);
            return written;
        }
    }

    /** Entries that were damaged before they were written: their checksums are right, as after a fault in memory. */
    private static final class DamagedEntries implements Target {
        private final DamagedFiles files;

        DamagedEntries(Path folder) {
            files = new DamagedFiles(folder);
        }

        @Override
        public Sample sample(SplittableRandom random) {
            List<byte[]> entries = Entries.valid(random);
            return new Sample(Entries.joined(entries), Entries.live(entries));
        }

        @Override
        public Object decode(byte[] input) throws IOException {
            return files.decode(files.written(Entries.split(input)));
        }

        @Override
        public boolean declares(Throwable thrown) {
            return files.declares(thrown);
        }
    }

    /** The bodies of entries, joined with the length of each before it, so that damage to one leaves the others. */
    private static final class Entries {
        static List<byte[]> valid(SplittableRandom random) {
            List<byte[]> entries = new ArrayList<>();
            JournalState state = new JournalState();
            state.incarnation = 5;
            for (int tables = random.nextInt(3); tables > 0; tables--) {
                UUID table = new UUID(1, tables);
                state.tables.put(table, new TableState(table, 7, true, random.nextBoolean(), true));
            }
            for (int peers = random.nextInt(3); peers > 0; peers--) {
                state.stalePeers.add(NodeId.of(peers));
            }
            ByteBuffer first = ByteBuffer.allocate(state.bytes());
            state.write(first);
            entries.add(first.array());
            for (int left = random.nextInt(8); left > 0; left--) {
                entries.add(entry(random, entries.size()));
            }
            return entries;
        }

        private static byte[] entry(SplittableRandom random, int number) {
            ByteBuffer to = ByteBuffer.allocate(200);
            switch (random.nextInt(7)) {
                case 0 -> to.put(EntryType.RETIRED).putLong(random.nextInt(number));
                case 1 -> to.put(EntryType.CEILING).putLong(random.nextLong());
                case 2 ->
                    JournalState.writeTable(
                            to.put(EntryType.TABLE), new TableState(new UUID(1, 2), number, true, false, true));
                case 3 -> JournalState.writeUuid(to.put(EntryType.TABLE_DROPPED), new UUID(1, 1));
                case 4 -> {
                    JournalState.writeUuid(to.put(EntryType.STALE), new UUID(0, 2));
                    to.put((byte) random.nextInt(2));
                }
                default ->
                    to.put(EntryType.APPLIED)
                            .putLong(number)
                            .putLong(99)
                            .put(TestUpdate.CODEC.encode(TestUpdate.of(number)));
            }
            return Arrays.copyOf(to.array(), to.position());
        }

        static List<Long> live(List<byte[]> entries) {
            List<Long> live = new ArrayList<>();
            for (byte[] entry : entries) {
                if (entry[0] == EntryType.APPLIED) {
                    live.add(ByteBuffer.wrap(entry).getLong(1));
                } else if (entry[0] == EntryType.RETIRED) {
                    live.remove(ByteBuffer.wrap(entry).getLong(1));
                }
            }
            return live;
        }

        static byte[] joined(List<byte[]> entries) {
            ByteBuffer joined = ByteBuffer.allocate(FILE_BYTES);
            entries.forEach(entry -> joined.putShort((short) entry.length).put(entry));
            return Arrays.copyOf(joined.array(), joined.position());
        }

        static List<byte[]> split(byte[] joined) {
            List<byte[]> entries = new ArrayList<>();
            ByteBuffer in = ByteBuffer.wrap(joined);
            while (in.remaining() >= 2) {
                byte[] entry = new byte[Math.min(in.getShort() & 0xffff, in.remaining())];
                in.get(entry);
                entries.add(entry);
            }
            return entries;
        }
    }

    @Test
    void aDamagedFileIsReadUpToItsTornTailOrRefused() {
        Fuzz.run("journal files", new DamagedFiles(folder), 30_000);
    }

    @Test
    void entriesThatMakeNoSenseAreRefused() {
        Fuzz.run("journal entries", new DamagedEntries(folder), 30_000);
    }
}
