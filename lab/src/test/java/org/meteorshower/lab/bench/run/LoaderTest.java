/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.meteorshower.lab.cluster.ClusterException;

final class LoaderTest {
    /** Of each row so many writes fail first. */
    private static final class Failing implements RowClient {
        private final int failures;
        private final List<String> written = new ArrayList<>();
        private int left;

        Failing(int failures) {
            this.failures = failures;
            left = failures;
        }

        @Override
        public CompletionStage<Answer> read(int row) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Long> write(int row, String value) {
            if (left-- > 0) {
                return CompletableFuture.failedFuture(new IllegalStateException("too slow"));
            }
            left = failures;
            written.add(row + "=" + value);
            return CompletableFuture.completedFuture(7L);
        }

        @Override
        public boolean mayHaveTakenEffect(Throwable failure) {
            return true;
        }
    }

    @Test
    void aRowWhoseWriteFailsIsWrittenAgainWithAValueOfItsOwnAndBothAreWrittenDown() {
        HistoryBook book = new HistoryBook(100);
        Failing client = new Failing(2);
        new Loader(book, 10, 3, 0).load(List.of(client));

        assertThat(client.written).containsExactly("10=load0-0-3", "11=load0-1-3", "12=load0-2-3");
        assertThat(book.history().size()).isEqualTo(9);
    }

    @Test
    void whatFailsAgainAndAgainIsAnError() {
        assertThatThrownBy(() -> new Loader(new HistoryBook(0), 0, 3, 0).load(List.of(new Failing(5))))
                .isInstanceOf(ClusterException.class)
                .hasMessageContaining("the rows could not be written")
                .hasMessageContaining("too slow");
    }
}
