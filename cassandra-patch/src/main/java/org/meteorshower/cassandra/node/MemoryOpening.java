/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.meteorshower.cassandra.memory.MemoryBudget;
import org.meteorshower.cassandra.memory.MemoryShares;
import org.meteorshower.transport.TransportOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Divides the heap of this process among those who hold something for the plugin. */
final class MemoryOpening {
    private static final Logger log = LoggerFactory.getLogger(MemoryOpening.class);

    private MemoryOpening() {}

    /** @throws ConfigurationException if it cannot be divided as the options say */
    static MemoryBudget make(MemoryShares wanted) {
        long heapBytes = Runtime.getRuntime().maxMemory();
        long mutationBytes = Math.min(
                DatabaseDescriptor.getMaxMutationSize(),
                TransportOptions.Limits.DEFAULTS.maxFrameBytes() - TransportOptions.Limits.BESIDE_A_MUTATION);
        try {
            MemoryBudget budget = MemoryBudget.of(heapBytes, wanted, mutationBytes);
            log.info(
                    "MeteorShower: of a heap of {} MB the plugin may hold {} MB; the largest write is {} MB",
                    heapBytes >> 20,
                    budget.limitBytes() >> 20,
                    budget.largestWriteBytes() >> 20);
            return budget;
        } catch (MemoryBudget.UnworkableException e) {
            throw new ConfigurationException("MeteorShower: meteorshower.yaml: " + e.getMessage(), e);
        }
    }
}
