/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.Effect.Failure;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.ReadMode;
import org.meteorshower.runtime.ByteAccount;
import org.meteorshower.runtime.RequestRefusedException;

final class LocalFetchRoomTest {
    @Test
    void oneReadMoreThanThereIsRoomForIsRefusedAsOverloaded() {
        ByteAccount reads = new ByteAccount(10_000);
        reads.take(9_000);
        LocalFetch fetch = new LocalFetch(null, awaited -> {}, null, reads);
        LocatedRead read = new LocatedRead(null, new PartitionKey(new UUID(1, 2), new byte[100]), null);

        RequestRefusedException refused = catchThrowableOfType(
                RequestRefusedException.class, () -> fetch.fetch(read, new ReadTerms(0, ReadMode.SEQUENTIAL, 0)));

        assertThat(refused.failure()).isEqualTo(Failure.OVERLOADED);
        assertThat(refused).hasMessageContaining("memory.waiting_reads");
        assertThat(reads.used()).isEqualTo(9_000);
    }
}
