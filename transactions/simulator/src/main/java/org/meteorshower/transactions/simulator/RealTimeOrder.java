/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.log.SessionId;

/**
 * Looks up in the agreed order what clients were told: it must stand there, and what was asked for later must stand
 * later.
 */
final class RealTimeOrder {
    private record Placed(Verifier.Acknowledged answer, long number) {}

    private RealTimeOrder() {}

    static @Nullable String check(List<Verifier.Acknowledged> acknowledged, SerialReplay replay) {
        List<Placed> placed = new ArrayList<>();
        for (Verifier.Acknowledged answer : acknowledged) {
            SessionId session = answer.session();
            if (session == null) {
                if (!replay.answered(answer.at(), answer.outcome())) {
                    return "a read was answered with " + answer.outcome() + " at " + answer.at()
                            + ", where nothing gives that";
                }
                placed.add(new Placed(answer, answer.at()));
                continue;
            }
            SerialReplay.Ran ran = replay.ran(session, answer.sequence());
            if (ran == null) {
                if (answer.outcome() instanceof Outcome.Committed) {
                    return "acknowledged and lost: " + session + " number " + answer.sequence() + ", told "
                            + answer.outcome();
                }
                continue; // Its session had expired.
            } else if (answer.outcome() instanceof Outcome.Committed
                    && !answer.outcome().equals(ran.outcome())) {
                return session + " number " + answer.sequence() + " was told " + answer.outcome()
                        + ", and is recorded as " + ran.outcome();
            }
            placed.add(new Placed(answer, ran.number()));
        }
        return inRealTime(placed);
    }

    private static @Nullable String inRealTime(List<Placed> placed) {
        List<Placed> byBegin = new ArrayList<>(placed);
        byBegin.sort(Comparator.comparingLong(one -> one.answer().invokedMicros()));
        List<Placed> byEnd = new ArrayList<>(placed);
        byEnd.sort(Comparator.comparingLong(one -> one.answer().answeredMicros()));
        Placed last = null;
        int ended = 0;
        for (Placed one : byBegin) {
            while (ended < byEnd.size()
                    && byEnd.get(ended).answer().answeredMicros() < one.answer().invokedMicros()) {
                Placed before = byEnd.get(ended++);
                last = last == null || before.number() > last.number() ? before : last;
            }
            if (last != null && one.number() < last.number()) {
                return "real time: " + describe(one) + " began after " + describe(last) + " was acknowledged";
            }
        }
        return null;
    }

    private static String describe(Placed placed) {
        Verifier.Acknowledged answer = placed.answer();
        return (answer.session() == null ? "a strict read" : answer.session() + " number " + answer.sequence())
                + " at place " + placed.number();
    }
}
