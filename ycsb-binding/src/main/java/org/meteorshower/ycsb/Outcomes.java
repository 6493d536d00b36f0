/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.ycsb;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.NodeUnavailableException;
import com.datastax.oss.driver.api.core.RequestThrottlingException;
import com.datastax.oss.driver.api.core.auth.AuthenticationException;
import com.datastax.oss.driver.api.core.servererrors.BootstrappingException;
import com.datastax.oss.driver.api.core.servererrors.OverloadedException;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import java.util.List;
import org.meteorshower.client.NotServedException;
import site.ycsb.Status;

/** What failures are to YCSB. None is ever OK. */
final class Outcomes {
    /** Of a write that may have taken effect, or may yet. YCSB counts it among the failed ones, under this name. */
    static final Status UNKNOWN_OUTCOME =
            new Status("UNKNOWN_OUTCOME", "The write may have taken effect, may do so later, or never does.");

    private Outcomes() {}

    static Status ofWrite(RuntimeException failure, boolean mayHaveTakenEffect) {
        return mayHaveTakenEffect ? UNKNOWN_OUTCOME : certain(failure);
    }

    static Status ofRead(RuntimeException failure) {
        return certain(failure);
    }

    private static Status certain(RuntimeException failure) {
        if (failure instanceof NotServedException) {
            return Status.UNEXPECTED_STATE;
        }
        if (failure instanceof UnauthorizedException || failure instanceof AuthenticationException) {
            return Status.FORBIDDEN;
        }
        if (failure instanceof QueryValidationException || failure instanceof IllegalArgumentException) {
            return Status.BAD_REQUEST;
        }
        if (failure instanceof UnavailableException
                || failure instanceof OverloadedException
                || failure instanceof BootstrappingException
                || failure instanceof NodeUnavailableException
                || failure instanceof RequestThrottlingException) {
            return Status.SERVICE_UNAVAILABLE;
        }
        if (failure instanceof AllNodesFailedException all
                && errors(all).stream().allMatch(NodeUnavailableException.class::isInstance)) {
            return Status.SERVICE_UNAVAILABLE;
        }
        return Status.ERROR;
    }

    /**
     * Whether a write of the plain driver's that failed like this certainly has no effect. Where in doubt it may have.
     */
    static boolean isWithoutEffect(RuntimeException failure) {
        if (failure instanceof AllNodesFailedException all) {
            return errors(all).stream()
                    .allMatch(error -> error instanceof RuntimeException single && isWithoutEffect(single));
        }
        return failure instanceof QueryValidationException
                || failure instanceof IllegalArgumentException
                || failure instanceof UnavailableException
                || failure instanceof BootstrappingException
                || failure instanceof NodeUnavailableException
                || failure instanceof AuthenticationException
                || failure instanceof RequestThrottlingException;
    }

    private static List<Throwable> errors(AllNodesFailedException all) {
        return all.getAllErrors().values().stream().flatMap(List::stream).toList();
    }
}
