/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.chains;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Digest;
import org.meteorshower.transactions.language.Evaluation;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.merge.Merged;
import org.meteorshower.transactions.port.Checkpoint;
import org.meteorshower.transactions.port.Observer;

/**
 * How far the merged order has been executed without a gap. Transactions without common rows may run out of order; here
 * they come back into it, and the digest of all they did is taken.
 */
final class Frontier {
    /** An entry that is being executed. */
    static final class Run {
        private final Merged merged;
        private final Evaluation[] evaluations;
        private final List<Chain> chains;
        private int left;

        private Run(Merged merged) {
            this.merged = merged;
            left = merged.entry().submissions().size();
            evaluations = new Evaluation[left];
            chains = new ArrayList<>(left);
        }

        Merged merged() {
            return merged;
        }

        void add(Chain chain) {
            chains.add(chain);
        }

        void done(int index, Evaluation evaluation) {
            evaluations[index] = evaluation;
            left--;
        }
    }

    private final @Nullable Observer observer;
    private final ChangeStream changes;
    private final ArrayDeque<Run> runs = new ArrayDeque<>();
    private final long[] positions;
    private final long[] epochs;
    private long count;
    private long digest;

    /** Of the entries of all runs. */
    private long underWayBytes;

    /** Where this stands; null where that has changed since it was last asked for. */
    private @Nullable Checkpoint checkpoint;

    Frontier(Checkpoint start, ChangeStream changes, @Nullable Observer observer) {
        this.observer = observer;
        this.changes = changes;
        this.positions = start.positions().stream().mapToLong(Long::longValue).toArray();
        this.epochs = start.epochs().stream().mapToLong(Long::longValue).toArray();
        this.count = start.count();
        this.digest = start.digest();
    }

    /** All merged entries before this many are executed. */
    long count() {
        return count;
    }

    Checkpoint checkpoint() {
        Checkpoint now = checkpoint;
        if (now == null) {
            now = new Checkpoint(
                    count,
                    Arrays.stream(positions).boxed().toList(),
                    Arrays.stream(epochs).boxed().toList(),
                    digest);
            checkpoint = now;
        }
        return now;
    }

    long digest() {
        return digest;
    }

    long underWayBytes() {
        return underWayBytes;
    }

    Run begin(Merged merged) {
        Run run = new Run(merged);
        runs.add(run);
        underWayBytes += merged.entry().weight();
        return run;
    }

    /** Chains that are not done, in merged order. */
    List<Chain> underWay() {
        List<Chain> underWay = new ArrayList<>();
        for (Run run : runs) {
            for (Chain chain : run.chains) {
                if (!chain.isDone()) {
                    underWay.add(chain);
                }
            }
        }
        return underWay;
    }

    /** The first chain in merged order that is not done; null where all are. */
    @Nullable
    Chain first() {
        for (Run run : runs) {
            for (Chain chain : run.chains) {
                if (!chain.isDone()) {
                    return chain;
                }
            }
        }
        return null;
    }

    /** The next entry that is executed and has only executed ones before it; told once each. */
    Optional<Merged> advance() {
        Run first = runs.peek();
        if (first == null || first.left > 0) {
            return Optional.empty();
        }
        runs.poll();
        underWayBytes -= first.merged.entry().weight();
        checkpoint = null;
        digest = digest(first);
        count = first.merged.number() + 1;
        positions[first.merged.lane()] = first.merged.position() + 1;
        epochs[first.merged.lane()] = first.merged.epoch();
        changes.executed(first.merged, Arrays.asList(first.evaluations));
        if (observer != null) {
            observer.executed(executed(first));
        }
        return Optional.of(first.merged);
    }

    private Observer.Executed executed(Run run) {
        List<Outcome> outcomes =
                Arrays.stream(run.evaluations).map(Evaluation::outcome).toList();
        return new Observer.Executed(
                run.merged.number(), run.merged.lane(), run.merged.position(), run.merged.entry(), outcomes, digest);
    }

    private long digest(Run run) {
        long mixed = Digest.mix(Digest.mix(digest, run.merged.lane()), run.merged.position());
        mixed = Digest.mix(mixed, run.merged.epoch());
        for (Evaluation evaluation : run.evaluations) {
            mixed = Results.mix(mixed, evaluation);
        }
        return mixed;
    }

    void jump(Checkpoint to) {
        runs.clear();
        changes.jump(to.count());
        underWayBytes = 0;
        checkpoint = to;
        for (int lane = 0; lane < positions.length; lane++) {
            positions[lane] = to.positions().get(lane);
            epochs[lane] = to.epochs().get(lane);
        }
        count = to.count();
        digest = to.digest();
    }
}
