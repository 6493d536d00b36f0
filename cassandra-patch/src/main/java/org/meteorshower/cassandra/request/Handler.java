/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.request;

import java.util.List;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.jspecify.annotations.Nullable;

/** One of those whom a request may be for. Thread-safe. */
public interface Handler {
    /** What there is to do for a request that was taken. */
    @FunctionalInterface
    interface Work {
        /**
         * To be called once, on the request's own thread, which may wait here until the request's deadline.
         *
         * @throws org.apache.cassandra.exceptions.RequestValidationException if the request cannot be
         * @throws org.apache.cassandra.exceptions.RequestExecutionException if it was refused or failed, or if nobody
         *     knows
         */
        ResultMessage run();
    }

    /**
     * Says whether the request is one for this handler. Does nothing for it yet, and does not block.
     *
     * @return null where it is another one's
     */
    @Nullable
    Work take(ClientRequest request);

    /** What a handler says that takes such requests. */
    static Work require(Handler handler, ClientRequest request) {
        Work work = handler.take(request);
        if (work == null) {
            throw new IllegalStateException("not taken: " + request.statement());
        }
        return work;
    }

    /** What the first of them says that takes the request; null where none does. */
    static @Nullable Work first(List<Handler> inOrder, ClientRequest request) {
        for (Handler each : inOrder) {
            Work work = each.take(request);
            if (work != null) {
                return work;
            }
        }
        return null;
    }
}
