/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import java.util.Arrays;

/** The writes of each key, cut into blocks of one chain, in which the last one before a place is found fast. */
final class KeyChains {
    private final Problem problem;
    private final int[] blockOffset; // per key: its first block
    private final int[] blockStart; // per block: its first position in problem.writes; one entry more than blocks

    KeyChains(Problem problem) {
        this.problem = problem;
        blockOffset = new int[problem.keys + 1];
        int[] starts = new int[problem.writes.length + 1];
        int blocks = 0;
        for (int key = 0; key < problem.keys; key++) {
            blockOffset[key] = blocks;
            for (int i = problem.writeOffset[key]; i < problem.writeOffset[key + 1]; i++) {
                if (i == problem.writeOffset[key]
                        || problem.chain[problem.writes[i]] != problem.chain[problem.writes[i - 1]]) {
                    starts[blocks++] = i;
                }
            }
        }
        blockOffset[problem.keys] = blocks;
        starts[blocks] = problem.writes.length;
        blockStart = Arrays.copyOf(starts, blocks + 1);
    }

    int firstBlock(int key) {
        return blockOffset[key];
    }

    int endBlock(int key) {
        return blockOffset[key + 1];
    }

    int chain(int block) {
        return problem.chain[problem.writes[blockStart[block]]];
    }

    /** The last write of the block among the first {@code count} operations of its chain, or NONE. */
    int lastAmong(int block, int count) {
        int low = blockStart[block];
        int high = blockStart[block + 1];
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (problem.place[problem.writes[middle]] < count) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == blockStart[block] ? Problem.NONE : problem.writes[low - 1];
    }
}
