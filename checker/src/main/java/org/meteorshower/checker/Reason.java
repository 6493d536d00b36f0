/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

/** Why one operation must come before another in every order that the model allows. */
public enum Reason {
    /** The same session did the one before the other. */
    SESSION_ORDER("session order"),
    /** A read returned what the write wrote. */
    READS_FROM("reads-from"),
    /** Two writes of a key, by their versions. */
    VERSION_ORDER("version order"),
    /** A read returned an older value than the one this write put in its place. */
    FROM_READ("from-read"),
    /** The one ended before the other started. */
    REAL_TIME("real time"),
    /** Two writes of a key: a read of the second comes after the first, so the first was overwritten. */
    OVERWRITTEN("write order");

    private final String words;

    Reason(String words) {
        this.words = words;
    }

    /** The name in reports. */
    public String words() {
        return words;
    }

    /** Whether a run of such steps is one such step. */
    boolean transitive() {
        return this == SESSION_ORDER || this == VERSION_ORDER || this == REAL_TIME;
    }
}
