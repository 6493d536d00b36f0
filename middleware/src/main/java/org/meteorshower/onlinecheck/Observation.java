/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.onlinecheck;

import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.ReplicaGroup;
import org.meteorshower.protocol.Update;

/** Something that this node saw and that the {@link OnlineChecker} needs to know, in the order in which it was seen. */
public sealed interface Observation {
    /**
     * A replica has stamped a mutation.
     *
     * @param update its content, where it was stamped here; else null
     */
    record Stamped(
            PartitionKey key,
            ReplicaGroup group,
            MutationId id,
            NodeId replica,
            long appliedMicros,
            @Nullable Update update)
            implements Observation {}

    /** A client's write of this partition was acknowledged here with this token. */
    record Acknowledged(PartitionKey key, long timestampMicros, long tokenMicros) implements Observation {}

    /** A client's read was answered here. */
    record Answered(Answer answer) implements Observation {}

    /** What was seen contradicts a rule by itself. */
    record Broken(Violation violation) implements Observation {}

    /**
     * Some of what happened was not seen: of mutations with timestamps up to this one the checker may not know all, nor
     * their first stamps.
     *
     * @param table null: of all
     * @param upToMicros a timestamp of mutations
     */
    record Unseen(@Nullable UUID table, long upToMicros) implements Observation {}

    /** The largest timestamp of a mutation that would not be known if this were lost. */
    default long newestMicros() {
        return this instanceof Stamped stamped
                ? stamped.id.timestampMicros()
                : this instanceof Unseen unseen ? unseen.upToMicros : Long.MIN_VALUE;
    }
}
