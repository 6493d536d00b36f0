/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.NodeUnavailableException;
import com.datastax.oss.driver.api.core.servererrors.OverloadedException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Why something was not acknowledged. Immutable.
 *
 * @param kind short: OVERLOADED, or the name of the driver's exception
 * @param refused whether it certainly had no effect
 * @param pause after which to send it again: as long as an overloaded node tells
 */
record LoadError(String kind, boolean refused, Duration pause) {
    static final String OVERLOADED = "OVERLOADED";
    static final Duration PAUSE = Duration.ofMillis(500);
    private static final Duration MOST_PAUSE = Duration.ofSeconds(10);
    private static final Pattern TIME_TOLD = Pattern.compile("(\\d{1,9}) ms");

    static LoadError of(Throwable failure) {
        Throwable cause = cause(failure);
        if (cause instanceof OverloadedException) {
            return new LoadError(OVERLOADED, true, told(String.valueOf(cause.getMessage())));
        }
        boolean refused = cause instanceof UnavailableException
                || cause instanceof NoNodeAvailableException
                || cause instanceof NodeUnavailableException;
        return new LoadError(cause.getClass().getSimpleName(), refused, PAUSE);
    }

    private static Throwable cause(Throwable failure) {
        if (failure instanceof AllNodesFailedException all) {
            return all.getAllErrors().values().stream()
                    .flatMap(List::stream)
                    .findFirst()
                    .orElse(failure);
        }
        return failure;
    }

    private static Duration told(String message) {
        Matcher matcher = TIME_TOLD.matcher(message);
        if (!matcher.find()) {
            return PAUSE;
        }
        Duration told = Duration.ofMillis(Long.parseLong(matcher.group(1)));
        return told.compareTo(MOST_PAUSE) > 0 ? MOST_PAUSE : told;
    }
}
