/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What has to be done for a fault to be possible: nodes are few, so that never more than one is there besides those
 * that a run began with. Each step is a fault of its own.
 */
final class FaultSteps {
    private final Map<String, Integer> first;

    /** @param first how many nodes each data centre had at the beginning */
    FaultSteps(Map<String, Integer> first) {
        this.first = new LinkedHashMap<>(first);
    }

    /** The fault, where need be at another data centre, and before it what makes it possible. */
    List<Fault> of(Fault fault, Map<String, Integer> now) {
        String grown = now.entrySet().stream()
                .filter(each -> each.getValue() > first.getOrDefault(each.getKey(), 0))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse("");
        List<Fault> steps = new ArrayList<>();
        switch (fault.kind()) {
            case JOIN -> {
                if (!grown.isEmpty()) {
                    steps.add(at(fault, FaultKind.DECOMMISSION, grown));
                }
                steps.add(fault);
            }
            case DECOMMISSION, RF -> {
                if (grown.isEmpty() && now.getOrDefault(fault.dc(), 0) < 2) {
                    steps.add(at(fault, FaultKind.JOIN, fault.dc()));
                    steps.add(fault);
                } else {
                    steps.add(at(fault, fault.kind(), grown.isEmpty() ? fault.dc() : grown));
                }
            }
            default -> steps.add(fault);
        }
        return steps;
    }

    private static Fault at(Fault fault, FaultKind kind, String dc) {
        return new Fault(kind, dc, fault.quietMillis(), fault.lengthMillis(), fault.amount());
    }
}
