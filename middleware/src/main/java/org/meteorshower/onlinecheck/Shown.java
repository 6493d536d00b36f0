/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.onlinecheck;

/**
 * The latest version of a cell that reads have shown, and at which cuts.
 *
 * @param firstMicros the smallest cut, {@code firstMicros <= lastMicros}
 * @param lastMicros the largest cut
 */
record Shown(Version version, long firstMicros, long lastMicros) {
    /** Whether a read that shows {@code other} at this cut contradicts those before. */
    boolean contradicts(Version other, long cutMicros) {
        long before = version.timestampMicros();
        return (other.timestampMicros() < before && cutMicros >= firstMicros)
                || (other.timestampMicros() > before && cutMicros <= lastMicros);
    }

    Shown with(Version other, long cutMicros) {
        if (other.equals(version)) {
            return new Shown(version, Math.min(firstMicros, cutMicros), Math.max(lastMicros, cutMicros));
        }
        return other.timestampMicros() > version.timestampMicros() ? new Shown(other, cutMicros, cutMicros) : this;
    }
}
