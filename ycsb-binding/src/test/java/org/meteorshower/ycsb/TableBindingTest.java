/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.ycsb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.servererrors.DefaultWriteType;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import site.ycsb.ByteIterator;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;

final class TableBindingTest {
    private final List<String> said = new ArrayList<>();
    private @Nullable RuntimeException failure;

    private final TableBinding binding = new TableBinding() {
        @Override
        RowStore open(Properties properties) {
            return new Recorder();
        }
    };

    TableBindingTest() throws Exception {
        binding.init();
    }

    @Test
    void aWriteThatTimedOutIsCountedAsFailedWhateverTheOperation() {
        failure = new WriteTimeoutException(null, DefaultConsistencyLevel.QUORUM, 1, 2, DefaultWriteType.SIMPLE);
        for (Status status : List.of(
                binding.insert("usertable", "k", values()),
                binding.update("usertable", "k", values()),
                binding.delete("usertable", "k"))) {
            assertThat(status).isEqualTo(Outcomes.UNKNOWN_OUTCOME);
            assertThat(status.isOk()).isFalse();
        }
        assertThat(binding.read("usertable", "k", null, new HashMap<>()).isOk()).isFalse();
    }

    @Test
    @SuppressWarnings("JdkObsolete") // the interface is YCSB's
    void theStatementsAreThoseOfTheTableOfYcsbsOwnBinding() {
        assertThat(binding.insert("usertable", "k", values()).isOk()).isTrue();
        assertThat(binding.update("usertable", "k", values()).isOk()).isTrue();
        assertThat(binding.delete("usertable", "k").isOk()).isTrue();
        failure = new IllegalStateException("rows are not made here");
        binding.read("usertable", "k", Set.of("field1"), new HashMap<>());
        binding.scan("usertable", "k", 5, null, new Vector<>());
        assertThat(said)
                .containsExactly(
                        "INSERT INTO ycsb.usertable (field0, field1, y_id) VALUES (?, ?, ?) [x, y, k]",
                        "UPDATE ycsb.usertable SET field0 = ?, field1 = ? WHERE y_id = ? [x, y, k]",
                        "DELETE FROM ycsb.usertable WHERE y_id = ? [k]",
                        "SELECT field1 FROM ycsb.usertable WHERE y_id = ? [k]",
                        "SELECT * FROM ycsb.usertable WHERE token(y_id) >= token(?) LIMIT ? [k, 5]");
    }

    @Test
    void aNameThatIsNoneIsABadRequest() {
        assertThat(binding.update("usertable", "k", Map.of("a = 1; --", new StringByteIterator("x"))))
                .isEqualTo(Status.BAD_REQUEST);
        assertThat(said).isEmpty();
    }

    @Test
    void nothingCanBeDoneAfterCleanup() {
        binding.cleanup();
        binding.cleanup();
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> binding.insert("usertable", "k", values()))
                .withMessageContaining("init()");
    }

    private static Map<String, ByteIterator> values() {
        return Map.of("field1", new StringByteIterator("y"), "field0", new StringByteIterator("x"));
    }

    private final class Recorder implements RowStore {
        @Override
        public ResultSet read(String query, Object... values) {
            write(query, values);
            throw new IllegalStateException("no rows here");
        }

        @Override
        public ResultSet scan(String query, Object... values) {
            return read(query, values);
        }

        @Override
        public void write(String query, Object... values) {
            said.add(query + " " + Arrays.toString(values));
            if (failure != null) {
                throw failure;
            }
        }

        @Override
        public boolean mayHaveTakenEffect(RuntimeException thrown) {
            return !Outcomes.isWithoutEffect(thrown);
        }

        @Override
        public String table(String name) {
            return "ycsb." + Cql.name(name);
        }

        @Override
        public void close() {}
    }
}
