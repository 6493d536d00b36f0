/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions;

import java.util.List;
import org.meteorshower.transactions.fronts.Bodies;
import org.meteorshower.transactions.log.Formats;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.Submission;

/**
 * In which form this data centre proposes entries: with fronts once all others have noted that they can read that.
 * There is no way back.
 */
final class Forms {
    private final Bodies bodies;
    private boolean fronts;

    Forms(Bodies bodies) {
        this.bodies = bodies;
    }

    /** This data centre's log is in this format. */
    void uses(int format) {
        fronts |= proposesFronts(format);
    }

    private static boolean proposesFronts(int format) {
        return format >= Formats.PROPOSES_FRONTS;
    }

    Submission submission(long ticket, Request request) {
        return fronts ? bodies.submission(ticket, request) : new Submission(ticket, request);
    }

    /** As they go into one entry: some may be from before there were fronts. */
    List<Submission> together(List<Submission> submissions) {
        return fronts ? bodies.fronted(submissions) : submissions;
    }
}
