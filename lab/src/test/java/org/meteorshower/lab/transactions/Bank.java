/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.transactions;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A bank in memory that keeps its promises, or breaks one of them once. One thread. */
public final class Bank {
    /** What it does wrong, in the middle of the run. */
    public enum Mistake {
        /** Two transactions on the same versions both commit: the second one writes over the first. */
        LOST_UPDATE,
        /** It says abort, and it happened. */
        ABORTED_AND_HAPPENED,
        /** It says commit, and nothing happened. */
        COMMITTED_AND_LOST,
        /** A transfer arrives nowhere. */
        MONEY_LOST,
        /** A read sees what was overwritten long before it began. */
        STALE_READ,
        /** A read sees one row before a transfer and the other after it. */
        TORN_READ
    }

    private static final int ROWS = 10;
    private static final long STEP_NANOS = 1_000;
    private static final int SNAPSHOT_EVERY = 25;

    private final SplittableRandom random;
    private final @Nullable Mistake mistake;
    private final Map<Integer, Account> accounts = new HashMap<>();
    private final List<Recorded> recorded = new ArrayList<>();
    private final List<Snapshot> snapshots = new ArrayList<>();
    private Map<Integer, Account> old = Map.of();
    private boolean mistaken;

    public Bank(long seed, @Nullable Mistake mistake) {
        random = new SplittableRandom(seed);
        this.mistake = mistake;
        for (int row = 0; row < ROWS; row++) {
            accounts.put(row, new Account(row, TransactionStore.BALANCE, 0, TransactionStore.NOBODY));
        }
    }

    /** So many requests, each within a span of time that overlaps others'; the last ones touch every row. */
    public Bank run(int requests) {
        for (int number = 1; number <= requests; number++) {
            one(number, request(number), number >= requests / 2 && !mistaken);
            if (number % SNAPSHOT_EVERY == 0) {
                // By the session that did this very request, right after it.
                long at = (number + 10) * STEP_NANOS + 3 * STEP_NANOS;
                snapshots.add(new Snapshot("s" + number % 7, end(), at, at + 1));
            }
            if (number == requests / 4) {
                old = new HashMap<>(accounts);
            }
        }
        for (int row = 0; row < ROWS; row++) {
            int number = requests + 1 + row;
            one(number, new Request(Request.Kind.INCREMENT, "t" + number, List.of(row), 0), false);
        }
        return this;
    }

    public List<Snapshot> snapshots() {
        return snapshots;
    }

    public List<Recorded> recorded() {
        return recorded;
    }

    public List<Account> end() {
        return IntStream.range(0, ROWS).mapToObj(this::account).toList();
    }

    private Account account(int row) {
        Account found = accounts.get(row);
        if (found == null) {
            throw new AssertionError("no row " + row);
        }
        return found;
    }

    private Request request(int number) {
        int from = random.nextInt(ROWS);
        List<Integer> both = List.of(from, (from + 1 + random.nextInt(ROWS - 1)) % ROWS);
        return switch (random.nextInt(3)) {
            case 0 -> new Request(Request.Kind.INCREMENT, "t" + number, List.of(0), 0);
            case 1 -> new Request(Request.Kind.READ, "t" + number, both, 0);
            default -> new Request(Request.Kind.TRANSFER, "t" + number, both, 1 + random.nextInt(9));
        };
    }

    private void one(int number, Request request, boolean mayBeWrong) {
        boolean wrong = mayBeWrong && mistake != null && fits(mistake, request);
        mistaken |= wrong;
        @Nullable Mistake now = wrong ? mistake : null;
        List<TransactionOutcome.Seen> seen = new ArrayList<>();
        for (int row : request.rows()) {
            boolean stale = now == Mistake.STALE_READ || (now == Mistake.TORN_READ && seen.isEmpty());
            Account read = stale ? old.getOrDefault(row, account(row)) : account(row);
            seen.add(new TransactionOutcome.Seen(read.version(), read.last()));
        }
        int luck = random.nextInt(20);
        boolean answered = luck > 1 || wrong;
        boolean happens = answered ? now != Mistake.COMMITTED_AND_LOST : luck == 0;
        if (happens && request.kind().writes()) {
            apply(request, now);
        }
        TransactionOutcome outcome = !answered
                ? TransactionOutcome.unknown(0, "no answer")
                : now == Mistake.ABORTED_AND_HAPPENED
                        ? TransactionOutcome.aborted(0, "no")
                        : TransactionOutcome.committed(seen, 0);
        long at = (number + 10) * STEP_NANOS;
        recorded.add(new Recorded(
                "s" + number % 7,
                request,
                outcome,
                at - random.nextInt(3 * (int) STEP_NANOS),
                at + random.nextInt(3 * (int) STEP_NANOS)));
        if (now == Mistake.LOST_UPDATE) {
            Request again = new Request(request.kind(), request.id() + "again", request.rows(), request.amount());
            apply(again, now);
            recorded.add(new Recorded("other", again, TransactionOutcome.committed(seen, 0), at, at + 1));
        }
    }

    private static boolean fits(Mistake mistake, Request request) {
        return switch (mistake) {
            case STALE_READ, TORN_READ -> request.kind() == Request.Kind.READ;
            case MONEY_LOST, LOST_UPDATE -> request.kind() == Request.Kind.TRANSFER;
            case ABORTED_AND_HAPPENED, COMMITTED_AND_LOST -> request.kind().writes();
        };
    }

    private void apply(Request request, @Nullable Mistake now) {
        for (int i = 0; i < request.rows().size(); i++) {
            Account before = account(request.rows().get(i));
            boolean over = now == Mistake.LOST_UPDATE && request.id().endsWith("again");
            long added = now == Mistake.MONEY_LOST && i == 1 ? 0 : i == 0 ? -request.amount() : request.amount();
            accounts.put(
                    before.row(),
                    new Account(
                            before.row(), before.balance() + added, before.version() + (over ? 0 : 1), request.id()));
        }
    }
}
