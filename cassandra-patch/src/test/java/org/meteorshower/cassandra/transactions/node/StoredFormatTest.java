/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.meteorshower.transactions.log.Formats;

/** In which format a process goes on with what is stored, and when it must not. */
final class StoredFormatTest {
    private static final LogKeyspace KEYSPACE = new LogKeyspace(0, 2, "asia", 1);

    @Test
    void whatIsStoredWithoutAMarkIsOfTheFirstFormat() {
        assertThat(StoredFormat.used(null, false, new Formats(1, 2), KEYSPACE)).isEqualTo(1);
        assertThatThrownBy(() -> StoredFormat.used(null, false, new Formats(2, 3), KEYSPACE))
                .isInstanceOf(StoredFormat.UnknownException.class)
                .hasMessageContaining("is in format 1")
                .hasMessageContaining("release in between");
    }

    @Test
    void aMarkIsGoneByAndABlankStoreBeginsWithTheOldestThatIsKnown() {
        assertThat(StoredFormat.used(2, false, new Formats(1, 2), KEYSPACE)).isEqualTo(2);
        assertThat(StoredFormat.used(1, false, Formats.ALL, KEYSPACE)).isEqualTo(1);
        assertThat(StoredFormat.used(null, true, new Formats(2, 3), KEYSPACE)).isEqualTo(2);
    }

    @Test
    void whatANewerPluginHasWrittenIsRefusedAndTheReasonSaysWhatToDo() {
        assertThatThrownBy(() -> StoredFormat.used(2, false, new Formats(1, 1), KEYSPACE))
                .isInstanceOf(StoredFormat.UnknownException.class)
                .hasMessageContaining("meteorshower_transactions_2")
                .hasMessageContaining("in format 2")
                .hasMessageContaining("knows format 1")
                .hasMessageContaining("Install the plugin that wrote it");
    }

    @Test
    void theLayoutIsPartOfTheNumber() {
        assertThat(StoredFormat.layout(null, true)).isEqualTo(StoredFormat.LAYOUT);
        assertThat(StoredFormat.layout(null, false)).isEqualTo(1);
        assertThat(StoredFormat.layout(1, false)).isEqualTo(1);
        assertThat(StoredFormat.layout(2_001, false)).isEqualTo(2);
        assertThat(StoredFormat.used(2_001, false, Formats.ALL, KEYSPACE)).isEqualTo(1);
        assertThatThrownBy(() -> StoredFormat.used(3_001, false, Formats.ALL, KEYSPACE))
                .isInstanceOf(StoredFormat.UnknownException.class)
                .hasMessageContaining("in layout 3");
    }
}
