/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import java.util.concurrent.CompletableFuture;
import org.apache.cassandra.schema.TableId;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.TakingPart.Answer;
import org.meteorshower.protocol.TakingPart.Question;

/** Asks other nodes about tables that are about to take part in transactions. Thread-safe. */
public interface PartElsewhere {
    /**
     * @param closedMicros the closing that is asked about; of no meaning where none is
     * @return exceptionally where the node does not answer in time, or its release of the plugin does not know the
     *     question
     */
    CompletableFuture<Answer> ask(NodeId node, Question question, TableId table, long closedMicros);
}
