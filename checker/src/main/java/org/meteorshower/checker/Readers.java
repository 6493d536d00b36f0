/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import java.util.Arrays;

/** For each write the last read of it in each chain, as far as the reads are decided. */
final class Readers {
    private final int[] offset; // per node
    private final int[] last; // reads

    Readers(Problem problem) {
        int[] reads = new int[problem.opNodes];
        int size = 0;
        for (int node = 0; node < problem.opNodes; node++) {
            if (problem.readsFrom[node] >= 0 && problem.unordered.get(problem.key[node])) {
                reads[size++] = node;
            }
        }
        reads = Arrays.copyOf(reads, size);
        IndexSort.sort(reads, read -> (long) problem.readsFrom[read] << 32 | problem.chain[read]);
        offset = new int[problem.opNodes + 1];
        last = new int[size];
        int kept = 0;
        for (int i = 0; i < size; i++) {
            boolean lastOfChain = i + 1 == size
                    || problem.chain[reads[i]] != problem.chain[reads[i + 1]]
                    || problem.readsFrom[reads[i]] != problem.readsFrom[reads[i + 1]];
            if (lastOfChain) {
                last[kept++] = reads[i];
                offset[problem.readsFrom[reads[i]] + 1]++;
            }
        }
        for (int node = 0; node < problem.opNodes; node++) {
            offset[node + 1] += offset[node];
        }
    }

    int first(int write) {
        return offset[write];
    }

    int end(int write) {
        return offset[write + 1];
    }

    int read(int position) {
        return last[position];
    }
}
