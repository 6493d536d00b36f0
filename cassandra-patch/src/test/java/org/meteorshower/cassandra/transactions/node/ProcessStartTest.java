/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.cassandra.config.Config.CommitLogSync;
import org.junit.jupiter.api.Test;

/** When no process may begin. */
final class ProcessStartTest {
    @Test
    void whoMayForgetVotesDoesNotVoteUnlessThatIsWanted() {
        assertThatThrownBy(() -> ProcessStart.checkCommitLog(CommitLogSync.periodic, false))
                .isInstanceOf(ProcessStart.RefusedException.class)
                .hasMessageContaining("commitlog_sync is periodic")
                .hasMessageContaining("transactions.allow_periodic_commitlog");
        assertThatNoException().isThrownBy(() -> {
            ProcessStart.checkCommitLog(CommitLogSync.periodic, true);
            ProcessStart.checkCommitLog(CommitLogSync.batch, false);
            ProcessStart.checkCommitLog(CommitLogSync.group, false);
        });
    }
}
