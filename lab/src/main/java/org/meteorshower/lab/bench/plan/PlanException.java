/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.plan;

/** A plan that cannot be run. The message names the place in the file, the cause and the cure. */
public final class PlanException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    PlanException(String message) {
        super(message);
    }
}
