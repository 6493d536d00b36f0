/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.language;

import java.util.HexFormat;

/** Writes what names a row within its partition, as {@link KeyReader} reads it, in digits. Used by one thread. */
final class KeyWriter {
    private static final int MOST_BEHIND = 8;
    private static final int BITS_OF_EACH = 7;

    private final StringBuilder digits;

    KeyWriter(String prefix) {
        this.digits = new StringBuilder(prefix);
    }

    /** As many ones as the first byte begins with, so many bytes follow. */
    void varint(long value) {
        int behind = 0; // each of which leaves the first byte a bit less
        while (behind < MOST_BEHIND && value >>> (BITS_OF_EACH * (behind + 1)) != 0) {
            behind++;
        }
        int ones = (0xff00 >>> behind) & 0xff;
        write(behind == MOST_BEHIND ? ones : ones | (int) (value >>> (Byte.SIZE * behind)));
        for (int i = behind - 1; i >= 0; i--) {
            write((int) (value >>> (Byte.SIZE * i)));
        }
    }

    void bytes(byte[] bytes) {
        for (byte each : bytes) {
            write(each);
        }
    }

    private void write(int each) {
        digits.append(HexFormat.of().toHexDigits((byte) each));
    }

    @Override
    public String toString() {
        return digits.toString();
    }
}
