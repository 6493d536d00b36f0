/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Statement;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.language.Value;

/** Draws transactions on rows of which something ends: taken where nobody has them, renewed, given back, kept, read. */
final class Ends {
    static final String TABLE = "leases";
    private static final int ROWS = 12;
    private static final long LONGEST_MILLIS = 2_500;
    private static final String HOLDER = "holder";
    private static final String NOTE = "note";

    private long values;
    private long rows;

    /** @param nowMicros by the run's clock, which begins at 0 */
    Operation draw(SplittableRandom random, long nowMicros) {
        List<Statement> body = new ArrayList<>();
        for (int left = 1 + random.nextInt(3); left > 0; left--) {
            RowKey row = random.nextInt(4) == 0
                    ? new RowKey(TABLE, "n" + ++rows)
                    : new RowKey(TABLE, "l" + random.nextInt(ROWS));
            body.add(new Statement.Return(new Expression.Exists(row)));
            body.add(new Statement.Return(new Expression.Column(row, HOLDER)));
            change(random, row, wallMillis(nowMicros), body);
        }
        return new Operation(Operation.Kind.ENDS, new Transaction(List.of(), body), List.of(), nowMicros);
    }

    static long wallMillis(long nowMicros) {
        return (DataCentre.WALL_AT_START_MICROS + nowMicros) / 1_000;
    }

    private void change(SplittableRandom random, RowKey row, long now, List<Statement> body) {
        long until = now + (random.nextInt(8) == 0 ? -50 : 50 + random.nextLong(LONGEST_MILLIS));
        Statement takes = new Statement.Put(row, HOLDER, new Expression.Ending(constant(++values), until));
        switch (random.nextInt(8)) {
            case 0, 1 -> body.add(new Statement.If(new Expression.Exists(row), List.of(), List.of(takes)));
            case 2, 3 -> body.add(takes); // also before its time is over
            case 4 -> body.add(new Statement.Put(row, NOTE, new Expression.Ending(constant(++values), until)));
            case 5 -> body.add(new Statement.Put(row, HOLDER, constant(++values)));
            case 6 -> body.add(new Statement.Delete(row));
            default -> {}
        }
    }

    private static Expression constant(long value) {
        return new Expression.Constant(Value.of(value));
    }
}
