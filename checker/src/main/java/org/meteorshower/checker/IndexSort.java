/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import java.util.function.IntToLongFunction;

/** Stable merge sort of ints by a long looked up for each, without boxes. */
final class IndexSort {
    private IndexSort() {}

    static void sort(int[] items, IntToLongFunction key) {
        if (sorted(items, key)) {
            return;
        }
        int[] source = items;
        int[] target = new int[items.length];
        for (int width = 1; width < items.length; width *= 2) {
            for (int low = 0; low < items.length; low += 2 * width) {
                int middle = Math.min(low + width, items.length);
                merge(source, target, low, middle, Math.min(low + 2 * width, items.length), key);
            }
            int[] swap = source;
            source = target;
            target = swap;
        }
        if (source != items) {
            System.arraycopy(source, 0, items, 0, items.length);
        }
    }

    private static boolean sorted(int[] items, IntToLongFunction key) {
        for (int i = 1; i < items.length; i++) {
            if (key.applyAsLong(items[i - 1]) > key.applyAsLong(items[i])) {
                return false;
            }
        }
        return true;
    }

    private static void merge(int[] source, int[] target, int low, int middle, int high, IntToLongFunction key) {
        int left = low;
        int right = middle;
        for (int i = low; i < high; i++) {
            boolean takeLeft =
                    left < middle && (right >= high || key.applyAsLong(source[left]) <= key.applyAsLong(source[right]));
            target[i] = takeLeft ? source[left++] : source[right++];
        }
    }
}
