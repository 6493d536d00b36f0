/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.codec;

import java.util.ArrayList;
import java.util.List;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.port.Answer;

/** What a client is told, on its way through another node. Without state. */
public final class AnswerCodec {
    private static final int COMMITTED = 1;
    private static final int ABORTED = 2;
    private static final int SNAPSHOT = 3;
    private static final int READ_FAILED = 4;
    private static final int REFUSED = 5;
    private static final int UNKNOWN = 6;

    /** In the order of their numbers; new ones come last. */
    private static final List<Outcome.Reason> REASONS = List.of(
            Outcome.Reason.ASSERT,
            Outcome.Reason.ERROR,
            Outcome.Reason.SESSION_EXPIRED,
            Outcome.Reason.NUMBER_FORGOTTEN,
            Outcome.Reason.DEAD);

    private static final List<Answer.Refusal> REFUSALS = List.of(
            Answer.Refusal.OVERLOADED,
            Answer.Refusal.NOT_PROPOSED,
            Answer.Refusal.BEHIND,
            Answer.Refusal.NOT_READY,
            Answer.Refusal.TOO_LARGE);

    private AnswerCodec() {}

    public static byte[] encode(Answer answer) {
        DataOut out = new DataOut(64);
        if (answer instanceof Answer.Done done) {
            if (done.outcome() instanceof Outcome.Committed committed) {
                out.u8(COMMITTED).varint(done.token());
                write(committed.values(), out);
            } else if (done.outcome() instanceof Outcome.Aborted aborted) {
                out.u8(ABORTED).varint(done.token()).varint(REASONS.indexOf(aborted.reason()));
                out.text(aborted.detail());
            }
        } else if (answer instanceof Answer.Snapshot snapshot) {
            out.u8(SNAPSHOT).varint(snapshot.token()).signed(snapshot.stalenessMicros());
            write(snapshot.values(), out);
        } else if (answer instanceof Answer.ReadFailed failed) {
            out.u8(READ_FAILED).text(failed.detail());
        } else if (answer instanceof Answer.Refused refused) {
            out.u8(REFUSED).varint(REFUSALS.indexOf(refused.refusal())).text(refused.detail());
        } else if (answer instanceof Answer.Unknown unknown) {
            out.u8(UNKNOWN).text(unknown.detail());
        }
        return out.toBytes();
    }

    /** @throws BadDataException if this is no answer */
    public static Answer decode(byte[] bytes) throws BadDataException {
        DataIn in = new DataIn(bytes);
        Answer answer = read(in, in.u8());
        in.end();
        return answer;
    }

    private static Answer read(DataIn in, int kind) throws BadDataException {
        return switch (kind) {
            case COMMITTED -> {
                long token = in.natural("a token");
                yield new Answer.Done(new Outcome.Committed(readValues(in)), token);
            }
            case ABORTED -> {
                long token = in.natural("a token");
                Outcome.Reason reason = REASONS.get(in.number("a reason", REASONS.size() - 1));
                yield new Answer.Done(new Outcome.Aborted(reason, in.text("a detail")), token);
            }
            case SNAPSHOT -> {
                long token = in.natural("a token");
                long stalenessMicros = in.signed();
                yield new Answer.Snapshot(readValues(in), token, stalenessMicros);
            }
            case READ_FAILED -> new Answer.ReadFailed(in.text("a detail"));
            case REFUSED -> {
                Answer.Refusal refusal = REFUSALS.get(in.number("a refusal", REFUSALS.size() - 1));
                yield new Answer.Refused(refusal, in.text("a detail"));
            }
            case UNKNOWN -> new Answer.Unknown(in.text("a detail"));
            default -> throw new BadDataException("there is no answer of kind " + kind);
        };
    }

    private static void write(List<Value> values, DataOut out) {
        out.varint(values.size());
        values.forEach(value -> LanguageCodec.write(value, out));
    }

    private static List<Value> readValues(DataIn in) throws BadDataException {
        int count = in.count("values", 1);
        List<Value> values = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            values.add(LanguageCodec.readValue(in));
        }
        return values;
    }
}
