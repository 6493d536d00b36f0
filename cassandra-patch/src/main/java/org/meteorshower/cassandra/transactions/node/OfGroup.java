/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import org.meteorshower.cassandra.transactions.LaneGroup;
import org.meteorshower.transactions.codec.BadDataException;
import org.meteorshower.transactions.codec.DataIn;

/**
 * What a node says to another within a group of lanes.
 *
 * @param group its number
 */
@SuppressWarnings("ArrayRecordComponent") // not compared
record OfGroup(int group, byte[] bytes) {
    /** @throws BadDataException if there is no number of a group, or it is that of all data centres */
    static OfGroup read(DataIn in) throws BadDataException {
        int group = in.number("a group's number", Integer.MAX_VALUE);
        if (group == LaneGroup.WHOLE) {
            throw new BadDataException("the group of all data centres is not named");
        }
        return new OfGroup(group, in.raw(in.remaining()));
    }
}
