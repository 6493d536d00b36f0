/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.rivals.scalardb;

import com.scalar.db.api.DistributedTransaction;
import com.scalar.db.api.DistributedTransactionManager;
import com.scalar.db.api.Get;
import com.scalar.db.api.Result;
import com.scalar.db.api.Upsert;
import com.scalar.db.exception.transaction.CommitConflictException;
import com.scalar.db.exception.transaction.CrudConflictException;
import com.scalar.db.exception.transaction.RollbackException;
import com.scalar.db.exception.transaction.TransactionException;
import com.scalar.db.exception.transaction.UnknownTransactionStatusException;
import com.scalar.db.exception.transaction.UnsatisfiedConditionException;
import com.scalar.db.io.Key;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** One request: tried again after conflicts, so often and no more, as the documentation of ScalarDB advises. */
final class Job {
    private static final int ATTEMPTS = 10;
    private static final int PAUSE_MILLIS = 100;

    private final DistributedTransactionManager manager;
    private final String[] words;

    Job(DistributedTransactionManager manager, String[] words) {
        this.manager = manager;
        this.words = words;
    }

    /** The answer, without the number. */
    String run() {
        String reason = "";
        for (int retries = 0; retries < ATTEMPTS; retries++) {
            DistributedTransaction transaction = null;
            try {
                transaction = manager.begin();
                String seen = work(transaction);
                transaction.commit();
                return "commit " + retries + seen;
            } catch (UnknownTransactionStatusException e) {
                return "unknown " + retries + " " + text(e);
            } catch (CrudConflictException | CommitConflictException | UnsatisfiedConditionException e) {
                reason = text(e);
                rollback(transaction);
                pause(retries);
            } catch (TransactionException | RuntimeException e) {
                rollback(transaction);
                return "abort " + retries + " " + text(e);
            }
        }
        return "abort " + ATTEMPTS + " " + reason;
    }

    private String work(DistributedTransaction transaction) throws TransactionException {
        switch (words[2]) {
            case "load" -> {
                int first = number(3);
                for (int row = first; row < first + number(4); row++) {
                    transaction.upsert(upsert(row, number(5), 0, "-"));
                }
                return "";
            }
            case "transfer" -> {
                Result from = get(transaction, number(3));
                Result to = get(transaction, number(4));
                int amount = from.getBigInt("balance") >= number(5) ? number(5) : 0;
                transaction.upsert(next(from, -amount));
                transaction.upsert(next(to, amount));
                return seen(from) + seen(to);
            }
            case "increment" -> {
                Result row = get(transaction, number(3));
                transaction.upsert(next(row, 0));
                return seen(row);
            }
            case "order" -> {
                StringBuilder all = new StringBuilder();
                for (int word = 3; word < words.length; word++) {
                    Result row = get(transaction, number(word));
                    transaction.upsert(next(row, 0));
                    all.append(seen(row));
                }
                return all.toString();
            }
            case "read" -> {
                return seen(get(transaction, number(3))) + seen(get(transaction, number(4)));
            }
            case "audit" -> {
                Result row = get(transaction, number(3));
                return seen(row) + " " + row.getBigInt("balance");
            }
            default -> throw new IllegalArgumentException("no request is called " + words[2]);
        }
    }

    private Result get(DistributedTransaction transaction, int row) throws TransactionException {
        Optional<Result> found = transaction.get(Get.newBuilder()
                .namespace(ScalarDbClient.NAMESPACE)
                .table(words[1])
                .partitionKey(Key.ofInt("id", row))
                .build());
        return found.orElseThrow(() -> new IllegalStateException("no row " + row));
    }

    private Upsert next(Result row, long added) {
        return upsert(row.getInt("id"), row.getBigInt("balance") + added, row.getBigInt("version") + 1, words[0]);
    }

    private Upsert upsert(int row, long balance, long version, String last) {
        return Upsert.newBuilder()
                .namespace(ScalarDbClient.NAMESPACE)
                .table(words[1])
                .partitionKey(Key.ofInt("id", row))
                .bigIntValue("balance", balance)
                .bigIntValue("version", version)
                .textValue("last", last)
                .build();
    }

    private static String seen(Result row) {
        return " " + row.getBigInt("version") + " " + row.getText("last");
    }

    private int number(int word) {
        return Integer.parseInt(words[word]);
    }

    private static void rollback(DistributedTransaction transaction) {
        if (transaction != null) {
            try {
                transaction.rollback();
            } catch (RollbackException e) {
                // Whoever meets its records rolls them back.
            }
        }
    }

    private static void pause(int retries) {
        try {
            Thread.sleep(ThreadLocalRandom.current().nextInt(PAUSE_MILLIS * (retries + 1)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String text(Exception e) {
        return String.valueOf(e.getMessage()).replace('\n', ' ');
    }
}
