/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Waits until nodes that were started serve CQL and until they and the other running nodes believe each other to be up.
 * For one wait, on one thread.
 */
final class Readiness {
    private static final int PROBE_TIMEOUT_MILLIS = 500;

    /** A node that takes part: its log is followed from before the start. */
    record Member(NodeSpec spec, NodeProcess process, NodeFolder folder, GossipLog gossip) {}

    /** A node died or did not become ready in time. */
    static final class NotReadyException extends ClusterException {
        private static final long serialVersionUID = 1L;

        private final transient Member culprit;

        NotReadyException(Member culprit, String message) {
            super(message);
            this.culprit = culprit;
        }

        Member culprit() {
            return culprit;
        }
    }

    private final List<Member> started;
    private final List<Member> others;
    private final Progress progress;
    private final long startNanos;
    private final boolean gossipLogged;
    private final Set<String> serving = new HashSet<>();

    /**
     * @param gossipLogged whether the nodes say in their logs whom they see; where they do not, serving is all that is
     *     awaited
     */
    Readiness(List<Member> started, List<Member> others, long startNanos, boolean gossipLogged, Progress progress) {
        this.started = started;
        this.others = others;
        this.startNanos = startNanos;
        this.gossipLogged = gossipLogged;
        this.progress = progress;
    }

    /** Throws {@link NotReadyException} naming the node and what is missing. */
    void await(Duration limit) {
        boolean ready = Waiting.until(limit, () -> allServe() && allSeeEachOther());
        if (!ready) {
            Member late = started.stream()
                    .filter(m -> !serving.contains(m.spec().name()))
                    .findFirst()
                    .orElse(started.get(0));
            String missing = serving.contains(late.spec().name())
                    ? String.join(", ", unseen())
                    : late.spec().name() + " does not answer CQL on "
                            + late.spec().address() + ":" + NodeSpec.CQL_PORT;
            throw new NotReadyException(late, "after " + limit.toSeconds() + " s " + missing);
        }
    }

    private boolean allServe() {
        for (Member member : started) {
            if (!member.process().isAlive()) {
                throw new NotReadyException(member, member.spec().name() + " ended while it started");
            }
            if (!serving.contains(member.spec().name())
                    && CqlProbe.answers(member.spec().address(), PROBE_TIMEOUT_MILLIS)) {
                serving.add(member.spec().name());
                progress.say(String.format(
                        Locale.ROOT,
                        "  %-10s serves CQL on %s:%d after %.1f s",
                        member.spec().name(),
                        member.spec().address(),
                        NodeSpec.CQL_PORT,
                        (System.nanoTime() - startNanos) / 1e9));
            }
        }
        return serving.size() == started.size();
    }

    private boolean allSeeEachOther() {
        return !gossipLogged || unseen().isEmpty();
    }

    /** Who does not believe whom to be up, in words. */
    private List<String> unseen() {
        List<String> unseen = new ArrayList<>();
        for (Member member : started) {
            Set<String> up = member.gossip().peersUp();
            collectUnseen(member, up, started, unseen);
            collectUnseen(member, up, others, unseen);
        }
        for (Member other : others) {
            collectUnseen(other, other.gossip().peersUp(), started, unseen);
        }
        return unseen;
    }

    private static void collectUnseen(Member viewer, Set<String> up, List<Member> viewed, List<String> unseen) {
        for (Member peer : viewed) {
            boolean itself = peer.spec().equals(viewer.spec());
            if (!itself && !up.contains(peer.spec().address())) {
                unseen.add(viewer.spec().name() + " does not see " + peer.spec().name());
            }
        }
    }
}
