/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.changes;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import java.time.Duration;
import org.meteorshower.client.changes.ChangeBatch;
import org.meteorshower.client.changes.ChangePosition;
import org.meteorshower.client.changes.ChangeStream;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.top.Unreachable;

/** Reads a stream, again for a while where its nodes do not answer: they may be restarted one after the other. */
final class PatientReading {
    private static final long PAUSE_MILLIS = 200;

    private final ChangeStream stream;
    private final Duration patience;

    PatientReading(ChangeStream stream, Duration patience) {
        this.stream = stream;
        this.patience = patience;
    }

    /** Throws {@link ClusterException}, which says where to go on, when patience is at its end. */
    ChangeBatch read(ChangePosition from, int most) throws InterruptedException {
        long startNanos = System.nanoTime();
        while (true) {
            try {
                return stream.read(from, most);
            } catch (QueryValidationException e) {
                throw e;
            } catch (DriverException e) {
                if (System.nanoTime() - startNanos >= patience.toNanos()) {
                    throw new ClusterException(
                            "the change stream cannot be read: " + Unreachable.why(e) + "; go on with --from " + from,
                            e);
                }
            }
            Thread.sleep(PAUSE_MILLIS);
        }
    }
}
