/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

/** Decides which delete, or the initial state, a read of null saw, where all other explanations are ruled out. */
final class NullReads {
    private static final long WORK_LIMIT = 500_000_000L;

    private final Problem problem;
    private final Closure closure;
    private final KeyChains keyChains;
    private long work;

    private NullReads(Problem problem, Closure closure, KeyChains keyChains) {
        this.problem = problem;
        this.closure = closure;
        this.keyChains = keyChains;
    }

    /** Adds the edges of every read that it decides; returns a read that nothing can explain, or NONE. */
    static int decide(Problem problem, Closure closure, KeyChains keyChains) {
        NullReads reads = new NullReads(problem, closure, keyChains);
        for (int node = 0; node < problem.opNodes && reads.work < WORK_LIMIT; node++) {
            if (problem.readsFrom[node] == Problem.AMBIGUOUS && !reads.decide(node)) {
                return node;
            }
        }
        return Problem.NONE;
    }

    private boolean decide(int read) {
        int key = problem.key[read];
        boolean initial = noWriteBefore(read);
        int explanations = initial ? 1 : 0;
        int delete = Problem.NONE;
        for (int i = problem.writeOffset[key]; i < problem.writeOffset[key + 1] && explanations < 2; i++) {
            int write = problem.writes[i];
            if (problem.isDelete(write) && mayHaveSeen(read, write)) {
                delete = write;
                explanations++;
            }
        }
        if (explanations != 1) {
            return explanations > 1;
        }
        if (initial) {
            problem.readsFrom[read] = Problem.INIT;
            problem.edges.add(read, problem.hub[key], Reason.FROM_READ, Edges.NO_VIA);
        } else {
            problem.readsFrom[read] = delete;
            problem.edges.add(delete, read, Reason.READS_FROM, Edges.NO_VIA);
            takesEffect(delete);
            if (problem.nextWrite[delete] != Problem.NONE) {
                problem.edges.add(read, problem.nextWrite[delete], Reason.FROM_READ, delete);
            }
        }
        return true;
    }

    private boolean noWriteBefore(int read) {
        int key = problem.key[read];
        for (int block = keyChains.firstBlock(key); block < keyChains.endBlock(key); block++) {
            work++;
            if (keyChains.lastAmong(block, closure.before(read, keyChains.chain(block))) != Problem.NONE) {
                return false;
            }
        }
        return true;
    }

    /** Not where the read comes first, nor where another write must stand between. */
    private boolean mayHaveSeen(int read, int delete) {
        if (closure.reaches(read, delete)) {
            return false;
        }
        int key = problem.key[read];
        for (int block = keyChains.firstBlock(key); block < keyChains.endBlock(key); block++) {
            work++;
            int write = keyChains.lastAmong(block, closure.before(read, keyChains.chain(block)));
            boolean between = write != Problem.NONE
                    && write != delete
                    && (closure.reaches(delete, write) || problem.versionBefore(delete, write));
            if (between) {
                return false;
            }
        }
        return true;
    }

    /** An optional delete that was read has a place among the versions like any other write. */
    private void takesEffect(int delete) {
        if (!problem.optional.get(delete)) {
            return;
        }
        problem.optional.clear(delete);
        int key = problem.key[delete];
        problem.unordered.set(key);
        for (int i = problem.writeOffset[key]; i < problem.writeOffset[key + 1]; i++) {
            int write = problem.writes[i];
            if (problem.versionBefore(delete, write)) {
                problem.edges.add(delete, write, Reason.VERSION_ORDER, Edges.NO_VIA);
            } else if (problem.versionBefore(write, delete) && !problem.optional.get(write)) {
                problem.edges.add(write, delete, Reason.VERSION_ORDER, Edges.NO_VIA);
            }
        }
    }
}
