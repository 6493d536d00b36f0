/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.Test;

class StretchTest {
    @Test
    void itsMiddleIsBetweenItsEnds() {
        Random random = new Random(5);
        for (int i = 0; i < 2_000; i++) {
            byte[] one = bytes(random);
            byte[] other = bytes(random);
            boolean swapped = Arrays.compareUnsigned(one, other) > 0;
            byte[] low = swapped ? other : one;
            byte[] high = swapped ? one : other;
            Stretch stretch = new Stretch(ByteBuffer.wrap(low), ByteBuffer.wrap(high));
            ByteBuffer half = stretch.middle();
            if (half == null) {
                // Equal, or the same but for zeros at the end: as numbers they are one.
                assertThat(Arrays.copyOf(low, 8)).isEqualTo(Arrays.copyOf(high, 8));
                continue;
            }
            byte[] middle = ByteBufferUtil.getArray(half);
            assertThat(Arrays.compareUnsigned(low, middle)).isNegative();
            assertThat(Arrays.compareUnsigned(middle, high)).isNegative();
            byte[] end = ByteBufferUtil.getArray(stretch.upTo(half).below());
            assertThat(end).as("nothing is between it and the middle").startsWith(middle);
            assertThat(end).hasSize(middle.length + 1).endsWith(0);
        }
        assertThat(Stretch.EVERYTHING.middle()).isNotNull();
    }

    private static byte[] bytes(Random random) {
        byte[] bytes = new byte[random.nextInt(5)];
        random.nextBytes(bytes);
        return bytes;
    }
}
