/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.meteorshower.transactions.language.RowKey;

final class KeyPageTest {
    private static PlacedKey key(int place) {
        return new PlacedKey(ByteBuffer.wrap(new byte[] {(byte) place}), new RowKey("t", "k" + place));
    }

    private static List<PlacedKey> keys(int... places) {
        return IntStream.of(places).mapToObj(KeyPageTest::key).toList();
    }

    @Test
    void whatIsReadBeyondTheLimitSaysThatThereIsMore() {
        assertThat(KeyPage.of(keys(1, 2, 3), 3)).isEqualTo(new KeyPage(keys(1, 2, 3), false));
        assertThat(KeyPage.of(keys(1, 2, 3, 4), 3)).isEqualTo(new KeyPage(keys(1, 2, 3), true));
    }

    @Test
    void pagesTogetherHaveEachKeyOnceInOrder() {
        KeyPage one = new KeyPage(keys(1, 3, 200), false);
        KeyPage other = new KeyPage(keys(2, 3), false);
        KeyPage nothing = new KeyPage(keys(), false);
        assertThat(KeyPage.merged(List.of(one, other, nothing), false, 9))
                .isEqualTo(new KeyPage(keys(1, 2, 3, 200), false));
        assertThat(KeyPage.merged(List.of(one, other), false, 3)).isEqualTo(new KeyPage(keys(1, 2, 3), true));
    }

    @Test
    void behindWhereOneWasCutOffNothingIsKnown() {
        KeyPage cut = new KeyPage(keys(2, 4), true);
        KeyPage cutBefore = new KeyPage(keys(1, 3), true);
        KeyPage whole = new KeyPage(keys(3, 5), false);
        assertThat(KeyPage.merged(List.of(cut, whole), false, 9)).isEqualTo(new KeyPage(keys(2, 3, 4), true));
        assertThat(KeyPage.merged(List.of(cut, whole, cutBefore), false, 9))
                .isEqualTo(new KeyPage(keys(1, 2, 3), true));
    }

    @Test
    void backwardTheLastComesFirst() {
        KeyPage cut = new KeyPage(keys(5, 3), true);
        KeyPage whole = new KeyPage(keys(4, 2), false);
        assertThat(KeyPage.merged(List.of(cut, whole), true, 9)).isEqualTo(new KeyPage(keys(5, 4, 3), true));
    }
}
