/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Sessions at the cluster for each group of data centres, and which of them a transaction's text takes: nobody but the
 * cluster knows of which group its tables are, so it is remembered when the cluster has said it. Thread-safe.
 */
final class TransactionPools {

    /** The name of the group of all data centres, which sessions are of when no group is asked for. */
    static final String WHOLE = "";

    /** What data centres can be called, and no apostrophe is among it. */
    static final String NAMES = "[^',\\p{Cntrl}]{1,100}+(?:,[^',\\p{Cntrl}]{1,100}+){0,30}+";

    private static final Pattern NAME = Pattern.compile(NAMES);

    /** Groups; more than a cluster has. */
    static final int MOST_POOLS = 64;

    /** Texts that are remembered. More than an application has, unless it puts values into them. */
    private static final int MOST_TEXTS = 1_000;

    private final Function<String, CompletableFuture<String>> opener;
    private final int mostSessions;
    private final TransactionSessions usual;

    /** By the group's name, the usual one's among them. Guarded by this. */
    private final Map<String, TransactionSessions> pools = new HashMap<>();

    /** By text, of those that are not of the usual group; the one used longest ago first. Guarded by this. */
    private final Map<String, TransactionSessions> learned = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, TransactionSessions> eldest) {
            return size() > MOST_TEXTS;
        }
    };

    /**
     * @param opener opens a session of the group with that name at the cluster, and gives the session's name
     * @param mostSessions of each group
     * @param usual the name of the group that a text is taken to be of that is not known
     */
    TransactionPools(Function<String, CompletableFuture<String>> opener, int mostSessions, String usual) {
        this.opener = opener;
        this.mostSessions = mostSessions;
        this.usual = open(usual);
        pools.put(usual, this.usual);
    }

    /** Whether a group can be called so. What is called otherwise must not become part of a statement. */
    static boolean isName(String group) {
        return NAME.matcher(group).matches();
    }

    /** Those of the group that was learned for this text, or else of the usual one. */
    synchronized TransactionSessions of(String text) {
        return learned.getOrDefault(text, usual);
    }

    /** The sessions that this text takes from now on; none, and no change, where there are too many groups. */
    synchronized Optional<TransactionSessions> learn(String text, String group) {
        TransactionSessions pool = pools.get(group);
        if (pool == null) {
            if (pools.size() >= MOST_POOLS) {
                return Optional.empty();
            }
            pool = open(group);
            pools.put(group, pool);
        }
        learned.put(text, pool);
        return Optional.of(pool);
    }

    /** What was learned for this text was wrong, or is not so any more; gives the usual group's sessions. */
    synchronized TransactionSessions forget(String text) {
        learned.remove(text);
        return usual;
    }

    private TransactionSessions open(String group) {
        return new TransactionSessions(() -> opener.apply(group), mostSessions);
    }
}
