/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.top;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import java.net.ConnectException;
import java.nio.channels.ClosedChannelException;

/** Says in an operator's words why a node cannot be asked; the driver's own speak of channels and frames. */
public final class Unreachable {
    private Unreachable() {}

    /** The error of the only node that was asked, where there is one. */
    static Throwable ofNode(Throwable thrown) {
        return thrown instanceof AllNodesFailedException all
                        && !all.getAllErrors().isEmpty()
                ? all.getAllErrors().values().iterator().next().get(0)
                : thrown;
    }

    /** Half a sentence. */
    public static String why(Throwable thrown) {
        Throwable deepest = thrown;
        for (Throwable cause = ofNode(thrown); cause != null; cause = cause.getCause()) {
            if (cause instanceof DriverTimeoutException) {
                return "it gave no answer in time: it hangs, is paused or overloaded, or the way to it is cut";
            }
            if (cause instanceof ConnectException || cause instanceof ClosedChannelException) {
                return "nothing takes connections there: it is down, or starts just now";
            }
            deepest = cause;
        }
        return String.valueOf(deepest.getMessage());
    }
}
