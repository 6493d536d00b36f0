/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the reader takes, and what it refuses and how. */
class HistoryReaderTest {
    private static final String GOOD =
            "{\"session\":\"s1\",\"op\":\"write\",\"key\":\"k\",\"value\":\"v1\",\"start_ns\":1,\"end_ns\":2,\"status\":\"ok\"}";

    @Test
    void whatTheWriterWroteIsReadBack() throws Exception {
        List<Operation> ops = List.of(
                Operation.write("s1", "k", "line\nand \"quote\" \u00e9\ud83d\ude00", 0, 10, 77),
                Operation.read("s2", "k", null, 1, 2),
                Operation.unknownWrite("s2", "k", null, 5, -3),
                Operation.failedWrite("s1", "k", "v2", 11, 12));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (HistoryWriter writer = new HistoryWriter(out)) {
            writer.appendAll(RandomHistory.history(ops));
        }

        History history = read(out.toString(StandardCharsets.UTF_8));

        assertThat(history.size()).isEqualTo(4);
        for (int i = 0; i < ops.size(); i++) {
            assertThat(history.get(i)).isEqualTo(ops.get(i));
            assertThat(history.where(i)).isEqualTo("test:" + (i + 1));
        }
    }

    @Test
    void linesOfManyThreadsNeverMix() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (HistoryWriter writer = new HistoryWriter(out)) {
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                String session = "s" + t;
                threads.add(new Thread(() -> appendMany(writer, session)));
            }
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
        }
        assertThat(read(out.toString(StandardCharsets.UTF_8)).size()).isEqualTo(4_000);
    }

    private static void appendMany(HistoryWriter writer, String session) {
        for (int i = 0; i < 1_000; i++) {
            try {
                writer.append(Operation.write(session, "k", session + "-" + i, i, i, i));
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        }
    }

    @Test
    void severalFilesAreOneHistory(@TempDir Path folder) throws Exception {
        Path first = Files.writeString(folder.resolve("a.jsonl"), GOOD + "\n");
        Path second = Files.writeString(
                folder.resolve("b.jsonl"),
                "\n" + GOOD.replace("v1", "v2").replace("\"start_ns\":1,\"end_ns\":2", "\"start_ns\":3,\"end_ns\":4"));
        Path empty = Files.writeString(folder.resolve("c.jsonl"), "");

        History history = HistoryReader.read(List.of(first, second, empty));

        assertThat(history.size()).isEqualTo(2);
        assertThat(history.sessionCount()).isEqualTo(1);
        assertThat(history.where(1)).isEqualTo(second + ":2");
    }

    @Test
    void notesThatBeginWithXAreSkipped() throws Exception {
        assertThat(read(GOOD.replace("{", "{\"x_served\":{\"how\":[\"local\"]},"))
                        .size())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\u0000',
            value = {
                "{\"session\":\"s1\",\"op\":\"wri                        | the file ends inside this line",
                "[]                                                      | not a JSON object",
                "17                                                      | not a JSON object",
                "nonsense                                                | not a JSON object",
                "{}                                                      | field \"session\" is missing",
                "%s {}                                                   | text after the operation",
                "-\"op\":\"write\",                                      | field \"op\" is missing",
                "-,\"value\":\"v1\"                                      | field \"value\" is missing",
                "-\"start_ns\":1,                                        | field \"start_ns\" is missing",
                "-,\"status\":\"ok\"                                     | field \"status\" is missing",
                "\"write\">\"cas\"                                       | unknown op \"cas\"",
                "\"ok\">\"maybe\"                                        | unknown status \"maybe\"",
                "\"s1\">1                                                | field \"session\" must be a string",
                "\"k\">null                                              | field \"key\" must be a string",
                "\"v1\">17                                               | field \"value\" must be a string",
                ":1>:\"1\"                                               | field \"start_ns\" must be a whole number",
                ":1>:1.5                                                 | field \"start_ns\" must be a whole number",
                ":1>:99999999999999999999                                | field \"start_ns\" must be a whole number",
                ":1>:-1                                                  | start_ns is -1; it must be 0 or more",
                ":2>:-1                                                  | end_ns is -1; it must be 0 or more",
                ":2>:0                                                   | end_ns 0 is before start_ns 1",
                ",\"end_ns\":2>                                          | status ok needs end_ns",
                "\"key\":>\"kye\":                                       | unknown field \"kye\"; known are session",
                "\"key\":\"k\",>\"key\":\"k\",\"key\":\"k\",             | Duplicate field 'key'",
                "\"ok\">\"ok\",\"version\":\"7\"                         | field \"version\" must be a whole number"
            })
    void badLineIsRefusedWithItsNumberAndReason(String change, String reason) {
        String line = change.startsWith("-")
                ? GOOD.replace(change.substring(1), "")
                : change.contains(">")
                        ? GOOD.replaceFirst(
                                java.util.regex.Pattern.quote(change.substring(0, change.indexOf('>'))),
                                change.substring(change.indexOf('>') + 1))
                        : change.formatted(GOOD);
        String before = GOOD.replace("v1", "v0").replace("s1", "s0") + "\n\n";

        assertThatExceptionOfType(BadHistoryException.class)
                .isThrownBy(() -> read(before + line))
                .satisfies(e -> assertThat(e.line()).isEqualTo(3))
                .satisfies(e -> assertThat(e.file()).isEqualTo("test"))
                .withMessageStartingWith("test:3: ")
                .withMessageContaining(reason);
    }

    @Test
    void valueWrittenTwiceToAKeyIsRefused() {
        assertThatThrownBy(() -> read(GOOD + "\n" + GOOD.replace("s1", "s2")))
                .isInstanceOf(BadHistoryException.class)
                .hasMessageContaining("test:2: value \"v1\" was written to key \"k\" before, at test:1");
    }

    @Test
    void sameValueOnTwoKeysIsFine() throws Exception {
        assertThat(read(GOOD + "\n" + GOOD.replace("s1", "s2").replace("\"k\"", "\"l\""))
                        .size())
                .isEqualTo(2);
    }

    @Test
    void overlappingOperationsOfASessionAreRefused() {
        assertThatThrownBy(() -> read(GOOD + "\n" + GOOD.replace("v1", "v2")))
                .isInstanceOf(BadHistoryException.class)
                .hasMessageContaining("test:2: start_ns 1 is before 2")
                .hasMessageContaining("sessions of their own");
    }

    @Test
    void emptyHistoryIsRefused() {
        assertThatThrownBy(() -> read("\n \n"))
                .isInstanceOf(BadHistoryException.class)
                .hasMessageContaining("no operations");
    }

    @Test
    void hugeLineIsRefusedBeforeItFillsTheMemory() {
        String huge = GOOD.replace("v1", "v".repeat(HistoryReader.MAX_LINE_BYTES));
        assertThatThrownBy(() -> read(GOOD + "\n" + huge))
                .isInstanceOf(BadHistoryException.class)
                .hasMessageContaining("test:2: the line is longer than 1048576 bytes");
    }

    @Test
    void textThatIsNotUtf8IsRefused() {
        byte[] latin = GOOD.replace("v1", "\u00e9").getBytes(StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> HistoryReader.read(new ByteArrayInputStream(latin), "test"))
                .isInstanceOf(BadHistoryException.class)
                .hasMessageContaining("test:1: not UTF-8");
    }

    @Test
    void binaryIsRefused() {
        assertThatThrownBy(() -> HistoryReader.read(new ByteArrayInputStream(new byte[4096]), "test"))
                .isInstanceOf(BadHistoryException.class)
                .hasMessageContaining("test:1: not a JSON object");
    }

    @Test
    void missingFileIsAnInputError(@TempDir Path folder) {
        assertThatThrownBy(() -> HistoryReader.read(List.of(folder.resolve("none.jsonl"))))
                .isInstanceOf(NoSuchFileException.class);
    }

    private static History read(String text) throws IOException, BadHistoryException {
        return HistoryReader.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "test");
    }
}
