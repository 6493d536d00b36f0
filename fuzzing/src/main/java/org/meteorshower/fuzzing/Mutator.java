/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.fuzzing;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Damages encodings in the ways that hurt decoders: at random, and where lengths and counts stand. Used by one thread.
 */
final class Mutator {
    private static final long[] BOUNDARIES = {
        0,
        1,
        -1,
        2,
        127,
        128,
        255,
        256,
        32_767,
        32_768,
        65_535,
        65_536,
        1 << 20,
        Integer.MAX_VALUE,
        Integer.MAX_VALUE - 8L,
        Integer.MIN_VALUE,
        1L << 31,
        1L << 32,
        Long.MAX_VALUE,
        Long.MIN_VALUE
    };
    private static final int MAX_BYTES = 1 << 16;

    private final SplittableRandom random;
    private final List<byte[]> words;

    Mutator(SplittableRandom random, List<String> words) {
        this.random = random;
        this.words = words.stream()
                .map(word -> word.getBytes(StandardCharsets.UTF_8))
                .toList();
    }

    /** @param other a second encoding, of which pieces may come in */
    byte[] damage(byte[] valid, byte[] other) {
        if (random.nextInt(64) == 0) {
            return noise(random.nextInt(200));
        }
        byte[] bytes = valid.clone();
        for (int times = 1 + random.nextInt(random.nextInt(8) == 0 ? 8 : 2); times > 0; times--) {
            bytes = once(bytes, other);
        }
        return bytes.length <= MAX_BYTES ? bytes : Arrays.copyOf(bytes, MAX_BYTES);
    }

    private byte[] once(byte[] bytes, byte[] other) {
        int at = random.nextInt(bytes.length + 1);
        int length = Math.min(bytes.length - at, 1 + random.nextInt(random.nextInt(4) == 0 ? 64 : 8));
        return switch (random.nextInt(12)) {
            case 0, 1 -> flipped(bytes);
            case 2 -> replaced(bytes, at, Math.min(1, length), new byte[] {(byte) random.nextInt()});
            case 3 -> replaced(bytes, at, 0, noise(1 + random.nextInt(16)));
            case 4 -> replaced(bytes, at, length, new byte[0]);
            case 5 -> replaced(bytes, at, 0, Arrays.copyOfRange(bytes, at, at + length));
            case 6 -> spliced(bytes, at, other);
            case 7 -> Arrays.copyOf(bytes, at);
            case 8, 9 -> numbered(bytes, at);
            case 10 -> replaced(bytes, at, 0, new byte[1 + random.nextInt(64)]);
            default -> worded(bytes, at, length);
        };
    }

    private byte[] flipped(byte[] bytes) {
        byte[] flipped = bytes.clone();
        if (flipped.length > 0) {
            flipped[random.nextInt(flipped.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return flipped;
    }

    private byte[] spliced(byte[] bytes, int at, byte[] other) {
        int from = random.nextInt(other.length + 1);
        byte[] piece = Arrays.copyOfRange(other, from, from + random.nextInt(other.length - from + 1));
        return replaced(bytes, at, random.nextBoolean() ? 0 : Math.min(piece.length, bytes.length - at), piece);
    }

    /**
     * A number where a length or a count may stand: fixed, of either byte order, or seven bits a byte, or in digits.
     */
    private byte[] numbered(byte[] bytes, int at) {
        long number = BOUNDARIES[random.nextInt(BOUNDARIES.length)] + random.nextInt(-1, 2);
        int form = random.nextInt(words.isEmpty() ? 7 : 8);
        if (form == 7) {
            return replaced(bytes, at, 0, Long.toString(number).getBytes(StandardCharsets.UTF_8));
        }
        byte[] encoded = form < 6 ? fixed(number, 1 << (1 + form / 2), form % 2 == 0) : sevenBits(number);
        boolean over = form < 6 || random.nextBoolean();
        return replaced(bytes, at, over ? Math.min(encoded.length, bytes.length - at) : 0, encoded);
    }

    private byte[] worded(byte[] bytes, int at, int length) {
        if (words.isEmpty()) {
            return flipped(bytes);
        }
        byte[] word = words.get(random.nextInt(words.size()));
        return replaced(bytes, at, random.nextBoolean() ? 0 : length, word);
    }

    private static byte[] fixed(long number, int size, boolean highFirst) {
        byte[] encoded = new byte[size];
        for (int i = 0; i < size; i++) {
            encoded[highFirst ? size - 1 - i : i] = (byte) (number >>> (8 * i));
        }
        return encoded;
    }

    private static byte[] sevenBits(long number) {
        byte[] encoded = new byte[10];
        int size = 0;
        long left = number;
        for (; (left & ~0x7fL) != 0; left >>>= 7) {
            encoded[size++] = (byte) (left | 0x80);
        }
        encoded[size++] = (byte) left;
        return Arrays.copyOf(encoded, size);
    }

    private byte[] noise(int size) {
        byte[] noise = new byte[size];
        random.nextBytes(noise);
        return noise;
    }

    private static byte[] replaced(byte[] bytes, int at, int length, byte[] by) {
        byte[] replaced = Arrays.copyOf(bytes, bytes.length - length + by.length);
        System.arraycopy(by, 0, replaced, at, by.length);
        System.arraycopy(bytes, at + length, replaced, at + by.length, bytes.length - at - length);
        return replaced;
    }
}
