/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import com.datastax.oss.protocol.internal.ProtocolConstants.ErrorCode;
import com.datastax.oss.protocol.internal.response.Error;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What nodes answer to transactions: each adds one to a counter, at most once under its number. Thread-safe. */
final class FakeTransactions implements Function<Asked, Reply> {

    /** What goes wrong with one request. */
    enum Fault {
        NONE,
        /** The connection is lost before it arrives. */
        REQUEST_LOST,
        /** The connection is lost after it ran. */
        ANSWER_LOST,
        /** It ran, and is said to be unknown. */
        UNKNOWN_AND_DONE,
        /** It did not run, and is said to be unknown. */
        UNKNOWN,
        /** It did not run, and is said not to have. */
        REFUSED,
        /** Its session is not known. */
        EXPIRED,
        /** It makes no sense. */
        ABORTED,
        /** It ran before, and its result was too large to be kept. */
        RESULT_LOST
    }

    private static final Pattern RESOLVE = Pattern.compile("RESOLVE TRANSACTION (\\d+) OF SESSION '(.*)'");
    private static final String DEAD = "DEAD";

    private final Map<String, String> outcomes = new LinkedHashMap<>();
    private final List<String> changes = new ArrayList<>();
    private final boolean ignoresNumbers;
    private Supplier<Fault> faults = () -> Fault.NONE;
    private boolean resolves = true;
    private int opened;
    private int counter;

    FakeTransactions() {
        this(false);
    }

    /** @param ignoresNumbers as it must not be: shows that a test sees it */
    FakeTransactions(boolean ignoresNumbers) {
        this.ignoresNumbers = ignoresNumbers;
    }

    /** These faults for the next transactions, then none. */
    synchronized FakeTransactions faults(Fault... next) {
        ArrayDeque<Fault> queue = new ArrayDeque<>(List.of(next));
        return faults(() -> queue.isEmpty() ? Fault.NONE : queue.remove());
    }

    synchronized FakeTransactions faults(Supplier<Fault> next) {
        faults = next;
        return this;
    }

    synchronized void resolves(boolean answered) {
        resolves = answered;
    }

    synchronized int counter() {
        return counter;
    }

    /** What was said of procedures. */
    synchronized List<String> changes() {
        return List.copyOf(changes);
    }

    synchronized int opened() {
        return opened;
    }

    @Override
    public synchronized Reply apply(Asked asked) {
        if (asked.query().startsWith("OPEN")) {
            opened++;
            return told(Map.of("session", "0." + opened + ".0.1.ab"));
        }
        if (asked.query().contains(" PROCEDURE ")) {
            changes.add(asked.query());
            return switch (faults.get()) {
                case ANSWER_LOST -> Reply.HANG_UP;
                case UNKNOWN -> Reply.writeTimeout();
                case ABORTED -> Reply.of(new Error(ErrorCode.INVALID, "MeteorShower: another text"));
                default -> Reply.row("done");
            };
        }
        Matcher resolve = RESOLVE.matcher(asked.query());
        if (resolve.matches()) {
            return resolves ? resolved(resolve.group(2) + " " + resolve.group(1)) : Reply.HANG_UP;
        }
        return asked.query().contains("UPDATE") || asked.query().startsWith("CALL")
                ? transaction(asked)
                : at(Reply.row("read"));
    }

    private Reply resolved(String key) {
        String outcome = outcomes.computeIfAbsent(key, k -> DEAD);
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("outcome", outcome.equals(DEAD) ? "aborted" : "committed");
        row.put("reason", outcome.equals(DEAD) ? DEAD : "");
        row.put("detail", outcome.equals(DEAD) ? "it had not run" : "");
        return at(told(row));
    }

    private Reply transaction(Asked asked) {
        Fault fault = faults.get();
        if (fault == Fault.REQUEST_LOST) {
            return Reply.HANG_UP;
        } else if (fault == Fault.UNKNOWN) {
            return Reply.writeTimeout();
        } else if (fault == Fault.REFUSED) {
            return Reply.unavailable();
        } else if (fault == Fault.EXPIRED) {
            return invalid("SESSION_EXPIRED", "no such session");
        } else if (fault == Fault.ABORTED) {
            return invalid("ERROR", "a division by zero");
        } else if (fault == Fault.RESULT_LOST) {
            return Reply.of(new Error(
                    ErrorCode.INVALID, "MeteorShower: the transaction was carried out (RESULT_LOST): too large"));
        }
        String key = asked.text(PayloadKeys.TRANSACTIONS_SESSION) + " " + asked.number();
        String known = ignoresNumbers ? null : outcomes.get(key);
        if (known == null) {
            known = "counted " + ++counter;
            outcomes.put(key, known);
        }
        if (fault == Fault.ANSWER_LOST) {
            return Reply.HANG_UP;
        } else if (fault == Fault.UNKNOWN_AND_DONE) {
            return Reply.writeTimeout();
        } else if (known.equals(DEAD)) {
            return invalid(DEAD, "somebody asked");
        }
        return at(Reply.row(known)).with(PayloadKeys.TRANSACTIONS_APPLIED, ByteBuffer.wrap(new byte[] {1}));
    }

    private Reply at(Reply reply) {
        return reply.with(PayloadKeys.TRANSACTIONS_TOKEN, Tokens.bytesAt(1_000 + counter));
    }

    private static Reply told(Map<String, Object> row) {
        return Reply.of(Rows.ofMaps(List.of(row)));
    }

    private static Reply invalid(String reason, String detail) {
        return Reply.of(new Error(
                ErrorCode.INVALID, "MeteorShower: the transaction was not carried out (" + reason + "): " + detail));
    }
}
