/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.exceptions.OverloadedException;
import org.junit.jupiter.api.Test;
import org.meteorshower.runtime.ByteAccount;

final class WriteAdmissionTest {
    private final ByteAccount waiting = new ByteAccount(10_000);
    private final WriteAdmission admission = new WriteAdmission(4_000, waiting);

    @Test
    void aWriteLargerThanNodesKeepIsRefusedAtOnceAndSaysWhatHelps() {
        assertThatThrownBy(() -> admission.admit(List.of(10L, 4_001L)))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("4001 bytes for one partition")
                .hasMessageContaining("at most 4000")
                .hasMessageContaining("memory.largest_write_mb")
                .hasMessageContaining("Nothing was written");
        assertThat(waiting.used()).isZero();
    }

    @Test
    void aBatchMayBeLargerThanItsPartsMay() {
        assertThat(admission.admit(List.of(4_000L, 3_900L))).isEqualTo(7_900 + 2 * 1_024);
    }

    @Test
    void oneWriteMoreThanThereIsRoomForIsToBeTriedAgainLater() {
        long held = admission.admit(List.of(4_000L));
        admission.admit(List.of(3_000L));

        assertThatThrownBy(() -> admission.admit(List.of(3_000L)))
                .isInstanceOf(OverloadedException.class)
                .hasMessageContaining("memory.waiting_writes")
                .hasMessageContaining("Retry later");
        admission.ended(held);
        admission.admit(List.of(3_000L));
    }

    @Test
    void aTextThatHoldsALargerWriteIsRefusedBeforeItIsRead() {
        admission.checkText("x".repeat(8_001));

        assertThatThrownBy(() -> admission.checkText("x".repeat(8_002))).isInstanceOf(InvalidRequestException.class);
    }

    @Test
    void theValuesBoundAreCountedAndThoseThatAreNullAreNot() {
        assertThat(WriteAdmission.bytesOf(Arrays.asList(ByteBuffer.allocate(7), null, ByteBuffer.allocate(5))))
                .isEqualTo(12);
    }
}
