/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** What a load does. Its methods are called by the load's thread. */
interface Work {
    /** What to do next; null where nothing is left. */
    @Nullable
    Job next();

    /** One request, which may be sent again until it is acknowledged. */
    interface Job {
        CompletionStage<AsyncResultSet> send();

        /** By a thread of the driver's. */
        void acknowledged();

        int rows();

        boolean writes();
    }
}
