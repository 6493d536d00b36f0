/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.cassandra.exceptions.RequestExecutionException;
import org.apache.cassandra.utils.NoSpamLogger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tries again what replicas did not do in time, until they do or it does not matter any more. Blocks. */
final class Retries {
    private static final Logger log = LoggerFactory.getLogger(Retries.class);
    private static final long FIRST_PAUSE_MILLIS = 10;
    private static final long LONGEST_PAUSE_MILLIS = 1_000;

    /** It does not matter any more. */
    static final class EndedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        EndedException() {
            super("the process has ended", null, false, false);
        }
    }

    private Retries() {}

    /**
     * @param what for the log, as the end of "could not"
     * @throws EndedException if {@code ended} says so
     */
    static <T> T until(BooleanSupplier ended, String what, Supplier<T> action) {
        long pauseMillis = FIRST_PAUSE_MILLIS;
        while (true) {
            if (ended.getAsBoolean()) {
                throw new EndedException();
            }
            try {
                return action.get();
            } catch (RequestExecutionException | LocalWrites.NoQuorumException | IllegalStateException e) {
                NoSpamLogger.log(
                        log,
                        NoSpamLogger.Level.WARN,
                        10,
                        TimeUnit.SECONDS,
                        "MeteorShower transactions: could not {}; it is tried again: {}",
                        what,
                        e.toString());
            }
            try {
                TimeUnit.MILLISECONDS.sleep(pauseMillis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new EndedException();
            }
            pauseMillis = Math.min(LONGEST_PAUSE_MILLIS, 2 * pauseMillis);
        }
    }
}
