/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.exceptions.ReadFailureException;
import org.junit.jupiter.api.Test;

/** A scan goes on where there are more deletions than Cassandra reads at a time. */
final class TokenScanTest {
    private static final UntypedResultSet NOTHING = UntypedResultSet.create(List.of());

    private static ReadFailureException tooManyDeletions() {
        return new ReadFailureException(ConsistencyLevel.LOCAL_QUORUM, 0, 1, false, Map.of());
    }

    @Test
    void allOfItIsLookedAtWhereThatIsNotTooMuch() {
        TokenScan.Found found = TokenScan.read(TokenScan.BEGINNING, (after, to) -> NOTHING);
        assertThat(found.to()).isEqualTo(TokenScan.END);
    }

    @Test
    void whereDeletionsAreTooManyAPartIsLookedAt() {
        long from = TokenScan.BEGINNING;
        int scans = 0;
        while (from < TokenScan.END && scans < 100) {
            TokenScan.Found found = TokenScan.read(from, (after, to) -> {
                if (to - after < 0 || (after < 0 && to - after > Long.MAX_VALUE / 8)) {
                    throw tooManyDeletions();
                }
                return NOTHING;
            });
            assertThat(found.to()).isGreaterThan(from);
            from = found.to();
            scans++;
        }
        assertThat(scans).isBetween(8, 99);
    }

    @Test
    void whatFailsForAnotherReasonFails() {
        assertThatThrownBy(() -> TokenScan.read(5, (after, to) -> {
                    throw tooManyDeletions();
                }))
                .isInstanceOf(ReadFailureException.class);
    }
}
