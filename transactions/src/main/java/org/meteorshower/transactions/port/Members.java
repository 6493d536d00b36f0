/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.port;

/** The data centres, numbered from 0, and which of them this one is. There are as many lanes, with the same numbers. */
public record Members(int self, int count) {
    /** @throws IllegalArgumentException if there are too many, or this one is none of them */
    public Members {
        if (count < 1 || count > 31 || self < 0 || self >= count) {
            throw new IllegalArgumentException("data centre " + self + " of " + count + ": there may be 1 to 31");
        }
    }

    public int majority() {
        return count / 2 + 1;
    }

    /** How far this data centre stands behind a lane's owner, among those that may take the lane over: 0 is next. */
    public int rankFor(int lane) {
        return Math.floorMod(self - lane - 1, count);
    }
}
