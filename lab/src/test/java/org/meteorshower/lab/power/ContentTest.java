/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.power;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class ContentTest {
    private final Content content = new Content();

    private static byte[] filled(int length, int value) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    @Test
    void isAnArrayOfBytes() {
        byte[] model = new byte[30_000];
        Random random = new Random(1);
        int size = 0;
        for (int i = 0; i < 500; i++) {
            int offset = random.nextInt(20_000);
            byte[] bytes = filled(random.nextInt(9_000), i);
            if (random.nextInt(10) == 0) {
                content.truncate(offset);
                Arrays.fill(model, offset, model.length, (byte) 0);
                size = offset;
            }
            if (bytes.length > 0) {
                content.write(offset, bytes);
                System.arraycopy(bytes, 0, model, offset, bytes.length);
                size = Math.max(size, offset + bytes.length);
            }
            if (random.nextInt(7) == 0) {
                content.force();
            }
            assertThat(content.size()).isEqualTo(size);
        }
        assertThat(content.read(0, 30_000)).isEqualTo(Arrays.copyOf(model, size));
        content.force();
        assertThat(content.afterLoss().read(0, 30_000)).isEqualTo(Arrays.copyOf(model, size));
    }

    @Test
    void whatIsForcedDoesNotChangeWithWhatIsNow() {
        content.write(0, filled(5_000, 1));
        content.force();
        content.write(4_000, filled(2_000, 2));

        byte[] left = content.afterLoss().read(0, 10_000);

        assertThat(left).isEqualTo(filled(5_000, 1));
    }

    @Test
    void saysWhetherMoreThanBytesHadToBeNoted() {
        content.write(0, filled(100, 1));
        assertThat(content.force()).isTrue();
        content.write(0, filled(100, 2));
        assertThat(content.force()).isFalse();
        content.write(4_096, filled(10, 2));
        assertThat(content.force()).isTrue();
    }

    @Test
    void pagesSurviveByThemselvesAndLeaveHoles() {
        content.write(0, filled(3 * Content.PAGE, 1));
        content.truncateForced(0);
        int lost = content.loseAllBut(0.5, new Random(3));
        Content left = content.afterLoss();

        assertThat(lost).isBetween(0, 3);
        assertThat(left.size() % Content.PAGE).isZero();
        for (int page = 0; page < left.size() / Content.PAGE; page++) {
            byte[] bytes = left.read((long) page * Content.PAGE, Content.PAGE);
            assertThat(bytes).isIn(filled(Content.PAGE, 0), filled(Content.PAGE, 1));
        }
    }

    @Test
    void aForcedPageThatWasCutOffIsGoneWithTheLength() {
        content.write(0, filled(2 * Content.PAGE, 1));
        content.force();
        content.truncate(10);
        content.truncateForced(10);
        content.truncate(2 * Content.PAGE);
        content.force();

        byte[] left = content.afterLoss().read(0, 2 * Content.PAGE);

        assertThat(Arrays.copyOf(left, 10)).isEqualTo(filled(10, 1));
        assertThat(Arrays.copyOfRange(left, 10, left.length)).isEqualTo(new byte[2 * Content.PAGE - 10]);
    }
}
