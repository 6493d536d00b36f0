/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

/** Which of Cassandra's own reads show all that was visible in a table, where it is not served at cuts. */
public enum PlainReads {
    /** None may be made here. */
    NONE,
    /** Those of a majority of the partition's replicas. */
    AT_QUORUM,
    /** Those of all of its replicas: of some things it is known only that some replica has them. */
    AT_ALL;

    /** Whether there are some. */
    public boolean areAllowed() {
        return this != NONE;
    }
}
