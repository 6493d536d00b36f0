/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import java.util.Locale;

/** How a coordinator served a read: the rungs of the ladder, cheapest first. */
public enum Served {
    /** At once, at the newest cut that the replica covered. */
    LOCAL,
    /** At once, at an older cut that the token still allows, because the row was in flight. */
    OLDER,
    /** After waiting for status messages of other replicas. */
    WAITED,
    /** After asking the other replicas for their status: about one round trip. */
    PULLED;

    /** The word that stands for this value in the payload. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The value that a payload word stands for.
     *
     * @throws MalformedPayloadException if the word is none of the four
     */
    public static Served parse(String text) {
        for (Served served : values()) {
            if (served.text().equals(text)) {
                return served;
            }
        }
        throw new MalformedPayloadException("\"" + text + "\" in " + PayloadKeys.SERVED
                + " is not local, older, waited or pulled: the coordinator speaks a newer version, update this client");
    }
}
