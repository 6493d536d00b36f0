/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker.transactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.meteorshower.checker.BadHistoryException;

class TransactionHistoryReaderTest {
    @TempDir
    private Path folder;

    private List<RecordedTransaction> read(String... lines) throws IOException, BadHistoryException {
        Path file = folder.resolve("history.jsonl");
        Files.write(file, List.of(lines));
        return TransactionHistoryReader.read(List.of(file));
    }

    @Test
    void aTransactionIsReadAsItStands() throws Exception {
        assertThat(read(
                        "{\"session\":\"c1\",\"ops\":[[\"append\",\"x\",5],[\"r\",\"x\",[3,5]],[\"r\",\"y\",null]],"
                                + "\"start_ns\":1,\"end_ns\":2,\"status\":\"ok\",\"x_note\":{\"a\":[1]}}",
                        "",
                        "{\"session\":\"c2\",\"ops\":[],\"start_ns\":3,\"status\":\"unknown\"}"))
                .containsExactly(
                        new RecordedTransaction(
                                "c1",
                                List.of(
                                        new RecordedTransaction.Append("x", "5"),
                                        new RecordedTransaction.Read("x", List.of("3", "5")),
                                        new RecordedTransaction.Read("y", null)),
                                1,
                                2,
                                RecordedTransaction.Status.OK),
                        new RecordedTransaction("c2", List.of(), 3, -1, RecordedTransaction.Status.UNKNOWN));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[1] | a transaction is a JSON object",
                "{\"session\":\"c\"} | session, ops, start_ns and status are required",
                "{\"session\":\"c\",\"ops\":[],\"start_ns\":5,\"status\":\"ok\"} | end_ns is required for ok",
                "{\"session\":\"c\",\"ops\":[],\"start_ns\":5,\"status\":\"maybe\"} | status is ok, fail or unknown",
                "{\"session\":\"c\",\"ops\":[[\"w\",\"x\",1]],\"start_ns\":5,\"status\":\"fail\"} | an op is append or r",
                "{\"session\":\"c\",\"ops\":[[\"append\",\"x\",[1]]],\"start_ns\":5,\"status\":\"fail\"} | an append has one value",
                "{\"session\":\"c\",\"ops\":[[\"r\",\"x\",1]],\"start_ns\":5,\"status\":\"fail\"} | array of values",
                "{\"sesion\":\"c\"} | unknown field sesion",
                "{\"session\":\"c\" | not a JSON object"
            })
    void aLineThatIsWrongIsNamedWithItsReason(String line, String reason) {
        assertThatThrownBy(() -> read(line))
                .isInstanceOf(BadHistoryException.class)
                .hasMessageContaining("history.jsonl:1: ")
                .hasMessageContaining(reason);
    }

    @Test
    void anEmptyHistoryProvesNothing() {
        assertThatThrownBy(() -> read(""))
                .isInstanceOf(BadHistoryException.class)
                .hasMessageContaining("proves nothing");
    }
}
