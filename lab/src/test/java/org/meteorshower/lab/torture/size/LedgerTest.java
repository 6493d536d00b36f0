/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class LedgerTest {
    private static final RowText TEXT = new RowText(500, 1_500);

    private final Ledger ledger = new Ledger(TEXT);

    private int write(int key) {
        int version = ledger.send(key);
        ledger.acknowledge(key, version);
        return version;
    }

    @Test
    void aRowsTextFollowsFromItsKeyAndVersionAndIsAsLongAsTold() {
        Set<Integer> sizes = new HashSet<>();
        for (int key = 0; key < 200; key++) {
            String text = TEXT.of(key, 3);
            sizes.add(text.length());
            assertThat(text.length()).isBetween(500, 1_500);
            assertThat(TEXT.of(key, 3)).isEqualTo(text).isNotEqualTo(TEXT.of(key, 4));
            assertThat(TEXT.version(key, text)).isEqualTo(3);
        }
        assertThat(sizes).hasSizeGreaterThan(100);
        assertThat(new RowText(1_000, 1_000).of(7, 1)).hasSize(1_000);
        assertThatThrownBy(() -> new RowText(10, 20)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aTextThatWasDamagedOrIsOfAnotherRowHasNoVersion() {
        String text = TEXT.of(5, 2);

        assertThat(TEXT.version(6, text)).isZero();
        assertThat(TEXT.version(5, text.substring(0, text.length() - 1))).isZero();
        assertThat(TEXT.version(5, text.substring(0, 100) + '!' + text.substring(101)))
                .isZero();
        assertThat(TEXT.version(5, "null")).isZero();
        assertThat(TEXT.version(5, "5/x/abc")).isZero();
    }

    @Test
    void nothingIsLostWhereEveryAcknowledgedRowIsSeen() {
        for (int key = 0; key < 100_000; key++) {
            write(key);
        }
        Ledger.Audit audit = ledger.audit();
        for (int key = 0; key < 100_000; key += 1) {
            audit.saw(key, TEXT.of(key, 1));
        }
        assertThat(audit.lost()).isEmpty();
        assertThat(audit.wrongRows()).isZero();
    }

    @Test
    void anAcknowledgedRowThatIsNotSeenIsLost() {
        write(0);
        write(1);
        ledger.send(2); // not known what came of it
        Ledger.Audit audit = ledger.audit();
        audit.saw(0, TEXT.of(0, 1));

        assertThat(audit.lost()).containsExactly(1);
    }

    @Test
    void aRowThatIsOlderThanAcknowledgedIsLost() {
        write(0);
        write(0);
        Ledger.Audit audit = ledger.audit();
        audit.saw(0, TEXT.of(0, 1));

        assertThat(audit.lost()).containsExactly(0);
        assertThat(audit.wrongRows()).isZero();
    }

    @Test
    void aRowMayBeNewerThanAcknowledgedIfItWasSent() {
        write(0);
        ledger.send(0);
        Ledger.Audit audit = ledger.audit();
        audit.saw(0, TEXT.of(0, 2));

        assertThat(audit.lost()).isEmpty();
        assertThat(audit.wrongRows()).isZero();
    }

    @Test
    void whatNobodySentIsWrongAndDoesNotCountAsFound() {
        write(0);
        Ledger.Audit audit = ledger.audit();
        audit.saw(0, TEXT.of(0, 2));
        audit.saw(9, TEXT.of(9, 1));

        assertThat(audit.wrongRows()).isEqualTo(2);
        assertThat(audit.wrong()).hasSize(2).first().asString().contains("row 0");
        assertThat(audit.lost()).containsExactly(0);
    }
}
