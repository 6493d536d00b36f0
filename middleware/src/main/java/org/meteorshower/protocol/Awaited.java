/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

/** What a read that could not be answered at once waited for first. For people only: no decision depends on it. */
public enum Awaited {
    /** The table to be served: a replica has not enabled it, or its baseline is not known. */
    TABLE("the table is not served by all its replicas yet"),
    /** A status message: too few replicas cover a cut that is as new as the session's token, or the mode, asks for. */
    STATUS("too few replicas had sent status messages as new as the session or the mode asks for"),
    /** A mutation of the row to be decided, or to be stored here. */
    DECISION("a write of the row was in flight, and the session or the mode allows no older cut"),
    /** The clock to pass the cut of a strict read. */
    CLOCK("a strict read waits until its cut has passed on every clock"),
    /** The row to stand still while it is read from the store. */
    STORE("the row changed again and again while it was read");

    private final String text;

    Awaited(String text) {
        this.text = text;
    }

    /** A clause in plain words. */
    public String text() {
        return text;
    }
}
