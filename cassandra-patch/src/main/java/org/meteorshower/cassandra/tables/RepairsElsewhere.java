/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.SharedRepairs;

/** Asks other nodes about repairs that this one shares with them. Thread-safe. */
public interface RepairsElsewhere {
    /**
     * @param name of the table
     * @return exceptionally where the node cannot be asked, does not answer in time, or runs an earlier release
     */
    CompletableFuture<SharedRepairs.Answer> ask(NodeId owner, UUID name, SharedRepairs.Question question);
}
