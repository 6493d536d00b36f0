/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.language;

import java.util.Arrays;
import java.util.HexFormat;

/** An immutable run of bytes; equality is by content, order as of unsigned bytes. */
public final class Bytes implements Comparable<Bytes> {
    public static final Bytes EMPTY = new Bytes(new byte[0]);

    private final byte[] content;

    private Bytes(byte[] content) {
        this.content = content;
    }

    public static Bytes copyOf(byte[] content) {
        return content.length == 0 ? EMPTY : new Bytes(content.clone());
    }

    /** Those from a place on, up to another one. */
    public static Bytes copyOf(byte[] content, int from, int end) {
        return from == end ? EMPTY : new Bytes(Arrays.copyOfRange(content, from, end));
    }

    /** Takes the array over: the caller must not touch it any more. */
    static Bytes owning(byte[] content) {
        return new Bytes(content);
    }

    public int size() {
        return content.length;
    }

    /** A copy. */
    public byte[] toArray() {
        return content.clone();
    }

    /** Writes all of them into the array, which has room for them from there on. */
    public void copyTo(byte[] target, int at) {
        System.arraycopy(content, 0, target, at, content.length);
    }

    /** For reading only: what the package decodes without a copy. */
    byte[] shared() {
        return content;
    }

    /** Up to eight bytes as a big-endian number with a sign. */
    long number(int from, int size) {
        long number = content[from];
        for (int i = from + 1; i < from + size; i++) {
            number = number << 8 | (content[i] & 0xff);
        }
        return number;
    }

    @Override
    public int compareTo(Bytes other) {
        return Arrays.compareUnsigned(content, other.content);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bytes bytes && Arrays.equals(content, bytes.content);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(content);
    }

    @Override
    public String toString() {
        return "0x" + HexFormat.of().formatHex(content);
    }
}
