/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Which versions of which rows were sent, and which were acknowledged: eight bytes a row, whatever its size. Versions
 * count from 1. Thread-safe.
 */
final class Ledger {
    private static final int FIRST_SIZE = 1 << 16;

    private final RowText text;
    private int[] sent = new int[FIRST_SIZE];
    private int[] acknowledged = new int[FIRST_SIZE];
    private int rows;

    Ledger(RowText text) {
        this.text = text;
    }

    RowText text() {
        return text;
    }

    /** A next version of this row is about to be sent. */
    synchronized int send(int key) {
        if (key >= sent.length) {
            int size = Math.max(key + 1, sent.length * 2);
            sent = Arrays.copyOf(sent, size);
            acknowledged = Arrays.copyOf(acknowledged, size);
        }
        rows = Math.max(rows, key + 1);
        return ++sent[key];
    }

    synchronized void acknowledge(int key, int version) {
        acknowledged[key] = Math.max(acknowledged[key], version);
    }

    /** One more than the largest key that was sent. */
    synchronized int rows() {
        return rows;
    }

    private synchronized int sent(int key) {
        return key >= 0 && key < rows ? sent[key] : 0;
    }

    private synchronized int acknowledged(int key) {
        return key >= 0 && key < rows ? acknowledged[key] : 0;
    }

    /** A reading of the whole table, to be held against what is known. */
    Audit audit() {
        return new Audit();
    }

    /** For one thread, once nothing is under way any more. */
    final class Audit {
        private static final int MOST_WORDS = 20;

        private final BitSet found = new BitSet();
        private final List<String> wrong = new ArrayList<>();
        private long wrongRows;

        /** A row as it was read. Wrong is what nobody sent; what is older than acknowledged counts as lost. */
        void saw(int key, String value) {
            int version = text.version(key, value);
            if (version == 0 || version > sent(key)) {
                wrongRows++;
                if (wrong.size() < MOST_WORDS) {
                    wrong.add("row " + key + " holds what nobody wrote: "
                            + value.substring(0, Math.min(value.length(), 40)));
                }
            } else if (version >= acknowledged(key)) {
                found.set(key);
            }
        }

        /** Whether the row was seen as it was acknowledged, or later. */
        boolean found(int key) {
            return found.get(key);
        }

        /** Rows whose acknowledged version, or a later one, was not seen. */
        List<Integer> lost() {
            List<Integer> lost = new ArrayList<>();
            for (int key = 0; key < rows(); key++) {
                if (acknowledged(key) > 0 && !found.get(key)) {
                    lost.add(key);
                }
            }
            return lost;
        }

        /** The first of them, in words. */
        List<String> wrong() {
            return List.copyOf(wrong);
        }

        long wrongRows() {
            return wrongRows;
        }
    }
}
