/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.meteorshower.transactions.chains.Requests;
import org.meteorshower.transactions.codec.BadDataException;
import org.meteorshower.transactions.codec.DataIn;
import org.meteorshower.transactions.codec.DataOut;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.SessionId;

/**
 * What a submission says before its body of the rows that it names, so that it can be sent where they are by who does
 * not read the body. A request has just one.
 *
 * @param opens it opens a session, whose row is the only one: where it stands gives the name, so there are no tokens
 * @param tokens of the rows: first that of the row with the turn, then the others, ascending, each once
 */
record Front(boolean opens, List<Long> tokens) {
    private static final Front OPENS = new Front(true, List.of());
    private static final int WEIGHT = 80;
    private static final int PER_TOKEN = 32;
    private static final int TOKEN_BYTES = 8;

    /** Of a session that has no name yet; nobody looks at it. */
    private static final SessionId UNNAMED = new SessionId(0, 0, 0);

    Front {
        tokens = List.copyOf(tokens);
    }

    /** @throws IllegalArgumentException if it has ranges of rows, or computed keys: not for several servers yet */
    static Front of(Request request, Tokens ring) {
        if (!new Requests(request, UNNAMED, 0).claims().isEmpty()) {
            throw Visit.claims();
        }
        Set<RowKey> rows = Requests.knownRows(request);
        Set<RowKey> mayWrite = MayWrite.of(request, UNNAMED, new TreeSet<>());
        if (rows.isEmpty()) {
            return new Front(!mayWrite.isEmpty(), List.of());
        }
        RowKey turn = null;
        TreeSet<Long> all = new TreeSet<>();
        for (RowKey row : rows) {
            all.add(ring.tokenOf(row));
            if (turn == null || (!mayWrite.contains(turn) && mayWrite.contains(row))) {
                turn = row;
            }
        }
        List<Long> tokens = new ArrayList<>(all.size());
        if (turn != null) {
            long first = ring.tokenOf(turn);
            all.remove(first);
            tokens.add(first);
        }
        tokens.addAll(all);
        return new Front(false, tokens);
    }

    /**
     * The range of the first row that it may write; of the first one where it writes none.
     *
     * @param place where the submission stands
     */
    int turn(SessionId place, long count, Division division) {
        if (opens) {
            return division.rangeOf(place.row());
        }
        return tokens.isEmpty() ? (int) (count % division.ranges()) : division.rangeOf(tokens.get(0));
    }

    /** The ranges of all rows, and that of the turn. Ascending. */
    Set<Integer> ranges(SessionId place, long count, Division division) {
        Set<Integer> ranges = new TreeSet<>();
        ranges.add(turn(place, count, division));
        for (long token : tokens) {
            ranges.add(division.rangeOf(token));
        }
        return ranges;
    }

    /** About how many bytes it takes on the heap. */
    int weight() {
        return WEIGHT + PER_TOKEN * tokens.size();
    }

    void write(DataOut out) {
        out.varint(opens ? 0 : 1L + tokens.size());
        for (long token : tokens) {
            out.fixed64(token);
        }
    }

    static Front read(DataIn in) throws BadDataException {
        int said = in.number("the number of tokens", 1 + in.remaining() / TOKEN_BYTES);
        if (said == 0) {
            return OPENS;
        }
        List<Long> tokens = new ArrayList<>(said - 1);
        for (int token = 1; token < said; token++) {
            tokens.add(in.fixed64());
        }
        return new Front(false, tokens);
    }
}
