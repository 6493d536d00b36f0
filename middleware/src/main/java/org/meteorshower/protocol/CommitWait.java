/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Strict writes that enough replicas have applied wait until their stamps have passed on all clocks. Where these turn
 * out to differ by too much meanwhile, nobody can say: such a write is not acknowledged, and its outcome is not known
 * to its client.
 */
final class CommitWait {
    private final LiveSettings settings;
    private final Turn turn;
    private final StatusMap statusMap;
    private final SkewWatch skews;
    private final List<PendingWrite> waiting = new ArrayList<>();

    CommitWait(LiveSettings settings, Turn turn, StatusMap statusMap, SkewWatch skews) {
        this.settings = settings;
        this.turn = turn;
        this.statusMap = statusMap;
        this.skews = skews;
    }

    /** Why clocks are of no use for writes of these; null where they are. */
    @Nullable
    String clocksApart(Iterable<PartitionKey> keys) {
        for (PartitionKey key : keys) {
            String obstacle = skews.obstacle(statusMap.groupOf(key), turn.nanos());
            if (obstacle != null) {
                return obstacle;
            }
        }
        return null;
    }

    /** @return whether it has to wait; else it is done now */
    boolean begins(PendingWrite write) {
        return !isCertainlyPast(write) && waiting.add(write);
    }

    /** @param done told of each that has waited long enough */
    void tick(Consumer<PendingWrite> done) {
        if (waiting.isEmpty()) {
            return;
        }
        waiting.removeIf(write -> {
            boolean past = isCertainlyPast(write);
            if (past) {
                done.accept(write);
            }
            return past;
        });
    }

    private boolean isCertainlyPast(PendingWrite write) {
        return turn.wallMicros() - settings.now().clockErrorMicros() > write.tokenMicros
                && clocksApart(write.progress.keySet()) == null
                && write.progress.keySet().stream().allMatch(key -> areClocksCompared(write, key));
    }

    private boolean areClocksCompared(PendingWrite write, PartitionKey key) {
        ReplicaGroup group = statusMap.groupOf(key);
        return skews.isComparedSince(write.startedNanos, group, group.writeQuorum() - 1, turn.nanos());
    }

    boolean isWaiting(long writeId) {
        return waiting.stream().anyMatch(write -> write.writeId == writeId);
    }

    void abandoned(long writeId) {
        waiting.removeIf(write -> write.writeId == writeId);
    }

    int count() {
        return waiting.size();
    }
}
