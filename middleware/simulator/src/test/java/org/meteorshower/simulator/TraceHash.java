/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

/** A run's every event and effect in one number. */
final class TraceHash implements Trace {
    private long hash;
    private long steps;

    @Override
    public void step(long nowMicros, int node, Object what) {
        hash = 31 * (31 * (31 * hash + nowMicros) + node) + what.toString().hashCode();
        steps++;
    }

    @Override
    public String toString() {
        return steps + " steps, hash " + Long.toHexString(hash);
    }
}
