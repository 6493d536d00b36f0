/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.UUID;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.hints.Hint;
import org.apache.cassandra.hints.HintMessage;
import org.jspecify.annotations.Nullable;

/** The private fields of Cassandra's that tell what a hint brings, and for whom it is. Thread-safe. */
final class HintInternals {
    private final VarHandle host;
    private final VarHandle hint;
    private final VarHandle mutation;

    /** @throws IllegalStateException if this release of Cassandra has no such fields */
    HintInternals() {
        try {
            MethodHandles.Lookup messages = MethodHandles.privateLookupIn(HintMessage.class, MethodHandles.lookup());
            host = messages.findVarHandle(HintMessage.class, "hostId", UUID.class);
            hint = messages.findVarHandle(HintMessage.class, "hint", Hint.class);
            mutation = MethodHandles.privateLookupIn(Hint.class, MethodHandles.lookup())
                    .findVarHandle(Hint.class, "mutation", Mutation.class);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "this release of Cassandra keeps what a hint holds elsewhere (" + e
                            + "): install the plugin made for it, or remove the -javaagent option",
                    e);
        }
    }

    /** What it brings; null where it is for another node, or of a table that is not known here. */
    @Nullable
    Mutation mutationFor(UUID self, HintMessage message) {
        Hint held = (Hint) hint.get(message);
        return held == null || !self.equals(host.get(message)) ? null : (Mutation) mutation.get(held);
    }
}
