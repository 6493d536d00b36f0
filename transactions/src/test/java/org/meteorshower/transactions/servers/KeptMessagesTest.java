/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.meteorshower.transactions.log.Version;
import org.meteorshower.transactions.servers.ChainMessage.Forward;

/** What a range has handed to others, until it is too much. */
class KeptMessagesTest {
    private static Forward forward(long count) {
        return new Forward(Version.of(count, 0), 0, 1, Map.of());
    }

    /** Chains end in no order: one of count 3 may be handed, and go, after one of count 5. */
    @Test
    void whatWasLetGoOfInNoOrderIsNotSaidToBeThere() {
        KeptMessages kept = new KeptMessages(0);
        kept.keep(forward(5));
        kept.trim(receiver -> 9);
        kept.keep(forward(3));
        kept.trim(receiver -> 9);

        assertThat(kept.bytes()).isZero();
        assertThat(kept.hasAll(1, 4)).isFalse();
        assertThat(kept.hasAll(1, 6)).isTrue();
    }

    @Test
    void whatItsReceiverHasNotExecutedStays() {
        KeptMessages kept = new KeptMessages(0);
        kept.keep(forward(5));
        kept.trim(receiver -> 5);

        assertThat(kept.from(1, 0)).containsExactly(forward(5));
        assertThat(kept.hasAll(1, 0)).isTrue();
    }
}
