/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

/**
 * An interactive transaction found, each time that it was tried, that what it had read was changed by others before it
 * could commit. Nothing of it was written. Where this is common, say it as one transaction instead: those never fail
 * for contention.
 */
public final class ContentionException extends RuntimeException {

    ContentionException(int attempts) {
        super("What the transaction read was changed by others before it could commit, " + attempts
                + " times in a row: nothing was written. Put it into one BEGIN TRANSACTION … COMMIT TRANSACTION, or allow more"
                + " attempts");
    }
}
