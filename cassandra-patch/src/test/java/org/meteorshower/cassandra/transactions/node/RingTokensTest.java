/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.junit.jupiter.api.Test;
import org.meteorshower.transactions.fronts.Tokens;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.log.SessionId;

/** Where these fail, data centres of two releases would execute other things: that is another format. */
class RingTokensTest {
    private static final Tokens TOKENS = new RingTokens();

    private static long of(String key) {
        return TOKENS.tokenOf(new RowKey("t", key));
    }

    @Test
    void aRowIsWhereItsPartitionIs() {
        ByteBuffer partition = ByteBuffer.wrap(new byte[] {0x61, (byte) 0xfe});
        long token = Murmur3Partitioner.instance.getToken(partition).getLongValue();

        assertThat(of("61fe.0001")).isEqualTo(token);
        assertThat(of("61fe.s")).isEqualTo(token);
        assertThat(of("61fe.")).isEqualTo(token);
        assertThat(of("61fe")).as("a partition's name").isEqualTo(token);
        assertThat(TOKENS.tokenOf(new RowKey("u", "61fe.00")))
                .as("of every table")
                .isEqualTo(token);
    }

    @Test
    void tokensStayAsTheyAre() {
        assertThat(of("61fe.0001")).isEqualTo(-2601392081677590823L);
        assertThat(ofSession(2)).isEqualTo(6700054426309170479L);
        assertThat(of("no key.at all")).isEqualTo(8308969504079560022L);
    }

    private static long ofSession(int lane) {
        return TOKENS.tokenOf(new SessionId(lane, 300, 4).row());
    }

    /** Those of lane 12 are not all where a partition's key of one byte is. */
    @Test
    void sessionsAreAllOverTheRing() {
        assertThat(TOKENS.tokenOf(new SessionId(12, 300, 4).row()))
                .isNotEqualTo(TOKENS.tokenOf(new SessionId(12, 300, 5).row()))
                .isNotEqualTo(of("12.300.4"));
    }

    /** Whatever may stand in an entry. */
    @Test
    void everyKeyHasOne() {
        for (String key : new String[] {"", ".", "6", "6.1", "..", "\ud800", "61fe61fe61fe.", "zz.00"}) {
            assertThat(of(key)).as(key).isEqualTo(of(key));
        }
    }
}
