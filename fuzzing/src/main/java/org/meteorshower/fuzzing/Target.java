/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.fuzzing;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A decoder under test. Used by one thread at a time. To be fuzzed by coverage its class needs a constructor without
 * parameters, or with a folder.
 */
public interface Target {
    /**
     * A valid encoding.
     *
     * @param expected what {@link #view} of the decoded encoding must equal
     */
    @SuppressWarnings("ArrayRecordComponent") // samples are not compared, and their bytes not changed
    record Sample(byte[] bytes, Object expected) {
        public static Sample text(String text, Object expected) {
            return new Sample(text.getBytes(StandardCharsets.UTF_8), expected);
        }
    }

    /** The same random numbers give the same sample. */
    Sample sample(SplittableRandom random);

    /** Decodes, and nothing else: what this allocates is held against the input. */
    @Nullable
    Object decode(byte[] input) throws Exception;

    /** Whether the decoder says in its Javadoc that it throws this. */
    boolean declares(Throwable thrown);

    /** Turns what {@link #decode} returned into something with an {@code equals} that tells. */
    default @Nullable Object view(@Nullable Object decoded) {
        return decoded;
    }

    /** Words that damaged input may hold besides what samples hold. */
    default List<String> words() {
        return List.of();
    }

    /** Inputs, in hexadecimal digits, that did harm once: they are given first. */
    default List<String> found() {
        return List.of();
    }

    /** What a decoder may allocate whatever the input: its own buffers, and classes that are loaded late. */
    default long freeBytes() {
        return 1 << 20;
    }

    /** What a decoder may allocate for each byte of input. */
    default int bytesPerByte() {
        return 64;
    }
}
