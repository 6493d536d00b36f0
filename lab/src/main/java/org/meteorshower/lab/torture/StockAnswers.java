/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.servererrors.CoordinatorException;
import com.datastax.oss.driver.api.core.servererrors.ReadTimeoutException;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import java.util.List;
import org.meteorshower.client.PayloadKeys;
import org.meteorshower.client.ReadInfo;
import org.meteorshower.client.Served;
import org.meteorshower.lab.torture.StockRequest.Answer;

/** What an answer of the driver's, or an error, says of who served the request, and how. */
final class StockAnswers {
    private StockAnswers() {}

    /** Of a read or a write that succeeded, whose client asked to be told. */
    static Answer of(ExecutionInfo info, boolean isRead) {
        if (!isRead) {
            return info.getIncomingPayload().containsKey(PayloadKeys.TIMESTAMP) ? Answer.LOCAL : Answer.PLAIN;
        }
        return ReadInfo.of(info)
                .map(read -> read.forwarded()
                        ? Answer.FORWARDED
                        : read.served() == Served.LOCAL || read.served() == Served.OLDER ? Answer.LOCAL : Answer.WAITED)
                .orElse(Answer.PLAIN);
    }

    /** Of one that failed. */
    static Answer of(Throwable failure) {
        Throwable cause = cause(failure);
        if (cause instanceof ReadTimeoutException
                || cause instanceof WriteTimeoutException
                || cause instanceof DriverTimeoutException) {
            return Answer.TIMED_OUT;
        }
        // Whatever else a coordinator answers says no; without an answer there was nobody.
        return cause instanceof CoordinatorException ? Answer.REFUSED : Answer.UNREACHABLE;
    }

    /** The error's type, short. */
    static String name(Throwable failure) {
        return cause(failure).getClass().getSimpleName();
    }

    /** What a coordinator said counts for more than that another could not be asked. */
    static Throwable cause(Throwable failure) {
        if (!(failure instanceof AllNodesFailedException all)) {
            return failure;
        }
        List<Throwable> each =
                all.getAllErrors().values().stream().flatMap(List::stream).toList();
        return each.stream()
                .filter(CoordinatorException.class::isInstance)
                .findFirst()
                .orElse(each.isEmpty() ? failure : each.get(0));
    }
}
