/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

/**
 * The text of a row, which follows from its key and version, so that what is read can be judged without keeping what
 * was written. Immutable.
 *
 * @param least characters, which are bytes
 * @param most characters
 */
record RowText(int least, int most) {
    private static final char[] LETTERS =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".toCharArray();

    /** Longer than the longest beginning, which names key and version. */
    private static final int LEAST = 32;

    private static final int BITS = 6;
    private static final int LETTERS_OF_A_LONG = 10;

    RowText {
        if (least < LEAST || most < least) {
            throw new IllegalArgumentException("a row has " + LEAST + " characters or more, not " + least);
        }
    }

    String of(int key, int version) {
        long state = mixed(((long) key << Integer.SIZE) | version);
        int size = least + (int) Long.remainderUnsigned(state, most - least + 1L);
        StringBuilder text = new StringBuilder(size);
        text.append(key).append('/').append(version).append('/');
        while (text.length() < size) {
            state = mixed(state);
            long left = state;
            for (int i = 0; i < LETTERS_OF_A_LONG && text.length() < size; i++) {
                text.append(LETTERS[(int) (left & (LETTERS.length - 1))]);
                left >>>= BITS;
            }
        }
        return text.toString();
    }

    /** Which version of the row this is; 0 where it is none that this makes. */
    int version(int key, String text) {
        String[] parts = text.split("/", 3);
        if (parts.length < 3) {
            return 0;
        }
        try {
            int version = Integer.parseInt(parts[1]);
            return text.equals(of(key, version)) ? version : 0;
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** SplitMix64. */
    private static long mixed(long value) {
        long z = value + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
