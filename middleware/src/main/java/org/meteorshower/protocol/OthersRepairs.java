/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.meteorshower.protocol.SharedRepairs.Answer;
import org.meteorshower.protocol.SharedRepairs.Patience;
import org.meteorshower.protocol.SharedRepairs.Word;

/** The repairs, by other nodes, of ranges that this one holds, too: which are done, and which it does by itself. */
final class OthersRepairs {
    private enum State {
        AWAITED,
        /** It said no, or was waited for in vain. This node repairs its ranges. */
        OURS,
        DONE
    }

    private static final class Owner {
        State state = State.AWAITED;
        Answer last = Answer.LATER;
        long heardMillis;
        long movedMillis;

        Owner(long nowMillis) {
            heardMillis = nowMillis;
            movedMillis = nowMillis;
        }

        void hear(Answer answer, long nowMillis) {
            heardMillis = nowMillis;
            if (answer.done() != last.done() || answer.all() != last.all()) {
                movedMillis = nowMillis;
            }
            last = answer;
        }
    }

    private final Map<NodeId, Owner> owners = new TreeMap<>();
    private final Patience patience;

    /** Whose ranges are being repaired here, or were when that failed: the same are tried again. */
    private Set<NodeId> taken = Set.of();

    private boolean underWay;

    OthersRepairs(Collection<NodeId> owners, Patience patience, long nowMillis) {
        owners.forEach(owner -> this.owners.put(owner, new Owner(nowMillis)));
        this.patience = patience;
    }

    Set<NodeId> toAsk() {
        return in(State.AWAITED);
    }

    private Set<NodeId> in(State state) {
        Set<NodeId> found = new TreeSet<>();
        owners.forEach((node, owner) -> {
            if (owner.state == state) {
                found.add(node);
            }
        });
        return found;
    }

    /** One that was given up before is not waited for again. */
    void answered(NodeId node, Answer answer, long nowMillis) {
        Owner owner = owners.get(node);
        if (owner == null || owner.state != State.AWAITED) {
            return;
        }
        owner.hear(answer, nowMillis);
        if (answer.word() == Word.DONE) {
            owner.state = State.DONE;
        } else if (answer.word() == Word.NO || nowMillis - owner.movedMillis >= patience.stuck()) {
            owner.state = State.OURS;
        }
    }

    void unanswered(NodeId node, long nowMillis) {
        Owner owner = owners.get(node);
        if (owner != null && owner.state == State.AWAITED && nowMillis - owner.heardMillis >= patience.silent()) {
            owner.state = State.OURS;
        }
    }

    boolean areSomeOurs() {
        return !in(State.OURS).isEmpty();
    }

    Set<NodeId> begin() {
        if (taken.isEmpty()) {
            taken = new HashSet<>(in(State.OURS));
        }
        underWay = true;
        return taken;
    }

    void ended(boolean succeeded) {
        underWay = false;
        if (succeeded) {
            taken.forEach(node -> {
                Owner owner = owners.get(node);
                if (owner != null) {
                    owner.state = State.DONE;
                }
            });
            taken = Set.of();
        }
    }

    boolean isUnderWay() {
        return underWay;
    }

    boolean areDone() {
        return owners.values().stream().allMatch(owner -> owner.state == State.DONE);
    }

    int done(int whereUnknown) {
        return owners.values().stream()
                .mapToInt(owner -> owner.state == State.DONE ? allOf(owner, whereUnknown) : owner.last.done())
                .sum();
    }

    int all(int whereUnknown) {
        return owners.values().stream()
                .mapToInt(owner -> allOf(owner, whereUnknown))
                .sum();
    }

    private static int allOf(Owner owner, int whereUnknown) {
        return owner.last.all() == 0 ? whereUnknown : owner.last.all();
    }
}
