/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client.changes;

import org.jspecify.annotations.Nullable;

/**
 * The data centre has no change stream: it is not configured, or its nodes have not made its tables yet. Or it has
 * several, of groups of data centres, and it was not said which of them is meant.
 */
public final class ChangesOffException extends IllegalStateException {

    ChangesOffException(String what, @Nullable Throwable cause) {
        super(
                "The change stream is off: " + what
                        + ". Set transactions: {changes_disk_mb: 1024} in meteorshower.yaml of all nodes, and restart"
                        + " them",
                cause);
    }

    /** @param choice which streams there are, and how one is chosen */
    ChangesOffException(String choice) {
        super(choice);
    }
}
