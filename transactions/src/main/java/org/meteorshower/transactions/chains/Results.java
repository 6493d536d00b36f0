/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.chains;

import java.util.Map;
import org.meteorshower.transactions.language.Digest;
import org.meteorshower.transactions.language.Evaluation;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Value;

/** What transactions have done, mixed into 64 bits. */
public final class Results {
    private Results() {}

    /** The digest with the outcome, and all that is written, mixed into it. */
    public static long mix(long digest, Evaluation evaluation) {
        long mixed = mix(digest, evaluation.outcome());
        for (Map.Entry<RowKey, Row> write : evaluation.writes().entrySet()) {
            mixed = Digest.mix(Digest.mix(mixed, write.getKey()), write.getValue());
        }
        return mixed;
    }

    private static long mix(long mixed, Outcome outcome) {
        if (outcome instanceof Outcome.Committed committed) {
            return Digest.mix(mixed, (Value) new Value.Items(committed.values()));
        }
        return Digest.mix(mixed, ((Outcome.Aborted) outcome).reason().name());
    }
}
