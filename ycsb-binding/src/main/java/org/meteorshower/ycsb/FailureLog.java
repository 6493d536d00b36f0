/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.ycsb;

import java.util.HashSet;
import java.util.Set;

/** Tells of each kind of failure once, on standard error; YCSB's summary has the counts. Thread-safe. */
final class FailureLog {
    private static final int KINDS = 10;
    private static final Set<String> TOLD = new HashSet<>();

    private FailureLog() {}

    static void tell(String operation, RuntimeException failure) {
        String kind = operation + " " + failure.getClass().getName();
        synchronized (TOLD) {
            if (TOLD.size() < KINDS && TOLD.add(kind)) {
                System.err.println("first failure of its kind: " + operation + ": " + failure);
            }
        }
    }
}
