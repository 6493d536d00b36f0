/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.fuzzing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Decoders with a fault each, of a count and as many numbers: the harness must see the fault. */
class FuzzTest {
    private static final int INPUTS = 20_000;

    private static class Sums implements Target {
        @Override
        public Sample sample(SplittableRandom random) {
            ByteBuffer bytes = ByteBuffer.allocate(4 + 4 * random.nextInt(5));
            bytes.putInt(bytes.capacity() / 4 - 1);
            long sum = 0;
            while (bytes.hasRemaining()) {
                int next = random.nextInt(-1_000, 1_000);
                bytes.putInt(next);
                sum += next;
            }
            return new Sample(bytes.array(), sum);
        }

        @Override
        public Object decode(byte[] input) throws EOFException {
            ByteBuffer in = ByteBuffer.wrap(input);
            if (in.remaining() < 4) {
                throw new EOFException();
            }
            int count = in.getInt();
            if (count < 0 || count != in.remaining() / 4) {
                throw new EOFException();
            }
            return sum(in, count);
        }

        Object sum(ByteBuffer in, int count) {
            long sum = 0;
            for (int i = 0; i < count; i++) {
                sum += in.getInt();
            }
            return sum;
        }

        @Override
        public boolean declares(Throwable thrown) {
            return thrown instanceof EOFException;
        }
    }

    @Test
    void aSoundDecoderPasses() {
        Fuzz.Result result = Fuzz.run("a sound decoder", new Sums(), INPUTS);
        assertThat(result.refused()).isBetween(1L, result.inputs() - 1);
    }

    @Test
    void anExceptionThatIsNotDeclaredIsFoundAndCanBeSeenAgain() {
        assertThatThrownBy(() -> Fuzz.run(
                        "a trusting decoder",
                        new Sums() {
                            @Override
                            public Object decode(byte[] input) {
                                ByteBuffer in = ByteBuffer.wrap(input);
                                return sum(in, in.getInt());
                            }
                        },
                        INPUTS))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("BufferUnderflowException")
                .hasMessageContaining("-Dfuzz.from=");
    }

    @Test
    void anAllocationThatTheInputOnlyPromisesIsFound() {
        assertThatThrownBy(() -> Fuzz.run(
                        "a generous decoder",
                        new Sums() {
                            @Override
                            public Object decode(byte[] input) throws EOFException {
                                if (input.length >= 4) {
                                    int count = ByteBuffer.wrap(input).getInt();
                                    if (new byte[Math.max(0, Math.min(count, 1 << 24))].length > input.length) {
                                        throw new EOFException();
                                    }
                                }
                                return super.decode(input);
                            }
                        },
                        INPUTS))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("allocates");
    }

    @Test
    void aValidEncodingThatComesBackChangedIsFound() {
        assertThatThrownBy(() -> Fuzz.run(
                        "a forgetful decoder",
                        new Sums() {
                            @Override
                            Object sum(ByteBuffer in, int count) {
                                return super.sum(in, Math.min(count, 3));
                            }
                        },
                        INPUTS))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("back as");
    }

    @Test
    void aDecoderThatHangsIsFound() {
        assertThatThrownBy(() -> Fuzz.run(
                        "a decoder that hangs",
                        new Sums() {
                            @Override
                            public Object decode(byte[] input) throws EOFException {
                                for (int i = 0; input.length == 3; i++) {
                                    Thread.onSpinWait();
                                }
                                return super.decode(input);
                            }
                        },
                        INPUTS,
                        1_000))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("hangs");
    }

    /** Wrong for one input that damage hardly ever makes. */
    private static final class RarelyWrong extends Sums {
        @Override
        public Object decode(byte[] input) throws EOFException {
            if (input.length == 8 && ByteBuffer.wrap(input).getLong() == 0x0123_4567_89ab_cdefL) {
                throw new IllegalStateException("on purpose");
            }
            return super.decode(input);
        }

        @Override
        public List<String> found() {
            return List.of("0123456789abcdef");
        }
    }

    @Test
    void anInputThatDidHarmOnceIsGivenAgain() {
        assertThatThrownBy(() -> Fuzz.run("a decoder that is rarely wrong", new RarelyWrong(), INPUTS))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("on purpose")
                .hasMessageContaining("input found before, 8 bytes: 0123456789abcdef");
    }

    @Test
    void whatJazzerCallsMakesItsTargetByNameAndFindsItsFaults() throws Exception {
        System.setProperty(GuidedTarget.TARGET, RarelyWrong.class.getName());
        try {
            GuidedTarget.fuzzerInitialize();
            GuidedTarget.fuzzerTestOneInput(new byte[3]);
            assertThatThrownBy(
                            () -> GuidedTarget.fuzzerTestOneInput(HexFormat.of().parseHex("0123456789abcdef")))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("on purpose");
        } finally {
            System.clearProperty(GuidedTarget.TARGET);
        }
    }
}
