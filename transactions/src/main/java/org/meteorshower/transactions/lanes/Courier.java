/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.lanes;

import org.meteorshower.transactions.port.Message;

/** Brings a lane's messages to their data centres; those to this one at once, without leaving it. */
interface Courier {
    void tell(int to, Message.OfLane message);

    /** On two streams. */
    void tellTwice(int to, Message.OfLane message);

    /** This data centre too. The others on two streams. */
    void tellAll(Message.OfLane message);
}
