/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.CommonCut;
import org.meteorshower.protocol.Effect.ReadInfo;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.runtime.RequestRefusedException;

/** Finds the cut at which several nodes read one scan. */
final class SharedCut {
    private SharedCut() {}

    /**
     * Blocks while the nodes are asked.
     *
     * @param here what this node reads; null for nothing
     * @param last whether there is always one: at worst that at which some nodes have to wait
     * @return null where there is none
     */
    static @Nullable ReadInfo of(
            NodeId self,
            @Nullable LocalScan here,
            Map<NodeId, ScansElsewhere.Part> elsewhere,
            PartAnswers answers,
            boolean last)
            throws RequestRefusedException, InterruptedException {
        Map<NodeId, ReadInfo> own = new LinkedHashMap<>();
        if (here != null) {
            own.put(self, here.info());
        }
        elsewhere.forEach((node, part) -> own.put(node, part.info()));
        Map<NodeId, Long> cuts = new LinkedHashMap<>();
        own.forEach((node, info) -> cuts.put(node, info.cutMicros()));
        CommonCut<NodeId> common = new CommonCut<>(cuts);
        for (Set<NodeId> ask = common.toAsk(); !ask.isEmpty(); ask = common.toAsk()) {
            ask(ask, common, here, elsewhere, answers);
        }
        return common.found().isPresent() || last ? summedUp(own, common.found().orElse(common.newestOfAll())) : null;
    }

    private static void ask(
            Set<NodeId> ask,
            CommonCut<NodeId> common,
            @Nullable LocalScan here,
            Map<NodeId, ScansElsewhere.Part> elsewhere,
            PartAnswers answers)
            throws RequestRefusedException, InterruptedException {
        long mostMicros = common.mostMicros();
        Map<NodeId, CompletableFuture<Long>> asked = new LinkedHashMap<>();
        for (NodeId node : ask) {
            ScansElsewhere.Part part = elsewhere.get(node);
            if (part != null) {
                asked.put(node, part.newestUpTo(mostMicros));
            }
        }
        for (NodeId node : ask) {
            CompletableFuture<Long> answer = asked.get(node);
            if (answer != null) {
                common.answered(node, answers.of(node, answer));
            } else if (here != null) {
                common.answered(node, here.newestUpTo(mostMicros));
            }
        }
    }

    /** As old as it is; the slowest way of being served. */
    private static ReadInfo summedUp(Map<NodeId, ReadInfo> own, long cutMicros) {
        ReadInfo sum = null;
        for (ReadInfo each : own.values()) {
            long staleMicros = Math.max(0, each.stalenessMicros() + each.cutMicros() - cutMicros);
            sum = sum == null
                    ? new ReadInfo(cutMicros, each.served(), staleMicros, each.awaited())
                    : new ReadInfo(
                            cutMicros,
                            sum.served().compareTo(each.served()) > 0 ? sum.served() : each.served(),
                            Math.max(sum.stalenessMicros(), staleMicros),
                            sum.awaited() == null ? each.awaited() : sum.awaited());
        }
        if (sum == null) {
            throw new IllegalStateException("a scan that nobody reads");
        }
        return sum;
    }
}
