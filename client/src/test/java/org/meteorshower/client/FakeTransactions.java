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

/**
 * What nodes answer to transactions: each adds one to a counter, at most once under its number. Tables of keyspaces
 * eu_us and us_asia are of groups of their own, all others of the whole one. Thread-safe.
 */
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
        /** Its session is of another group, it is told, whatever it is of. */
        OTHER_SESSION,
        /** Its session is not known. */
        EXPIRED,
        /** It makes no sense. */
        ABORTED,
        /** It ran before, and its result was too large to be kept. */
        RESULT_LOST
    }

    /** @param name as it is told and asked for */
    private record Group(int number, String name) {}

    private static final Map<String, Group> GROUPS =
            Map.of("eu_us.", new Group(3, "eu,us"), "us_asia.", new Group(6, "us,asia"));
    private static final Group WHOLE = new Group(0, "eu,us,asia");
    private static final Pattern OPEN = Pattern.compile("OPEN TRANSACTION SESSION(?: OF '([^']*)')?");
    private static final Pattern RESOLVE = Pattern.compile("RESOLVE TRANSACTION (\\d+) OF SESSION '(.*)'");
    private static final String DEAD = "DEAD";

    private final Map<String, String> outcomes = new LinkedHashMap<>();
    private final List<String> changes = new ArrayList<>();
    private final boolean ignoresNumbers;
    private Supplier<Fault> faults = () -> Fault.NONE;
    private boolean resolves = true;
    private boolean opensGroups = true;
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

    synchronized void opensGroups(boolean opened) {
        opensGroups = opened;
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
        Matcher open = OPEN.matcher(asked.query());
        if (open.matches()) {
            return opened(open.group(1));
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
            return resolves ? resolved(asked, resolve.group(2), resolve.group(1)) : Reply.HANG_UP;
        }
        return asked.query().contains("UPDATE") || asked.query().startsWith("CALL")
                ? transaction(asked)
                : at(Reply.row("read"), asked, groupOf(asked.query()).number());
    }

    private static Group groupOf(String text) {
        return GROUPS.entrySet().stream()
                .filter(each -> text.contains(each.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(WHOLE);
    }

    /** Its name tells its group. */
    private static int groupOfSession(String session) {
        return Integer.parseInt(session.substring(0, session.indexOf('.')));
    }

    /** @param group null: the whole one */
    private Reply opened(String group) {
        List<Group> all = new ArrayList<>(GROUPS.values());
        all.add(WHOLE);
        String name = group == null ? WHOLE.name() : group;
        Group of = all.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(name));
        if (!of.equals(WHOLE) && !opensGroups) {
            return Reply.of(new Error(ErrorCode.INVALID, "MeteorShower: no table is of the group " + name));
        }
        opened++;
        return told(Map.of("session", of.number() + "." + opened + ".0.1.ab"));
    }

    private Reply resolved(Asked asked, String session, String number) {
        String outcome = outcomes.computeIfAbsent(session + " " + number, k -> DEAD);
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("outcome", outcome.equals(DEAD) ? "aborted" : "committed");
        row.put("reason", outcome.equals(DEAD) ? DEAD : "");
        row.put("detail", outcome.equals(DEAD) ? "it had not run" : "");
        return at(told(row), asked, groupOfSession(session));
    }

    private Reply transaction(Asked asked) {
        Fault fault = faults.get();
        if (fault == Fault.REQUEST_LOST) {
            return Reply.HANG_UP;
        } else if (fault == Fault.UNKNOWN) {
            return Reply.writeTimeout();
        } else if (fault == Fault.REFUSED) {
            return Reply.unavailable();
        }
        Group group = groupOf(asked.query());
        String session = asked.text(PayloadKeys.TRANSACTIONS_SESSION);
        if (fault == Fault.OTHER_SESSION || groupOfSession(session) != group.number()) {
            return invalid(
                    "OTHER_SESSION", "OPEN TRANSACTION SESSION OF '" + group.name() + "' gives one of its tables'");
        } else if (fault == Fault.EXPIRED) {
            return invalid("SESSION_EXPIRED", "no such session");
        } else if (fault == Fault.ABORTED) {
            return invalid("ERROR", "a division by zero");
        } else if (fault == Fault.RESULT_LOST) {
            return Reply.of(new Error(
                    ErrorCode.INVALID, "MeteorShower: the transaction was carried out (RESULT_LOST): too large"));
        }
        return counted(asked, session + " " + asked.number(), group.number(), fault);
    }

    private Reply counted(Asked asked, String key, int group, Fault fault) {
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
        return at(Reply.row(known), asked, group)
                .with(PayloadKeys.TRANSACTIONS_APPLIED, ByteBuffer.wrap(new byte[] {1}));
    }

    /** All that it was sent, and a part of the group that is newer. */
    private Reply at(Reply reply, Asked asked, int group) {
        SessionToken sent = SessionToken.parse(null, asked.payload().get(PayloadKeys.TRANSACTIONS_TOKEN));
        SessionToken now = sent.max(Tokens.of(Tokens.bytesAt(group, 1_000 + counter)));
        return reply.with(PayloadKeys.TRANSACTIONS_TOKEN, now.transactionBytes());
    }

    private static Reply told(Map<String, Object> row) {
        return Reply.of(Rows.ofMaps(List.of(row)));
    }

    private static Reply invalid(String reason, String detail) {
        return Reply.of(new Error(
                ErrorCode.INVALID, "MeteorShower: the transaction was not carried out (" + reason + "): " + detail));
    }
}
