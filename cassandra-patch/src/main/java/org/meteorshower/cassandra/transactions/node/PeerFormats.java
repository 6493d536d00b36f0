/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.transactions.log.FormatUse;
import org.meteorshower.transactions.log.Formats;

/**
 * Which formats the nodes that run processes know and use, as they say with their announcements, and with whom contents
 * may be exchanged: where one uses a format that the other does not know, nothing is sent and nothing taken. Of a
 * process that has not said anything yet nothing is taken either; it says so before it says anything else. Thread-safe.
 */
final class PeerFormats {
    /** @param nanos when it was heard last */
    private record Said(int dc, long life, FormatUse use, long nanos) {}

    /** What a node said last counts for those who want to know how things are for so long. */
    private static final long RECENT_NANOS = 2_000_000_000;

    private final List<String> names;
    private final int self;
    private final Formats known;
    private final LongSupplier nanoTime;
    private final Consumer<String> apart;
    private final Map<NodeId, Said> said = new ConcurrentHashMap<>();

    /** What each node was found to be apart in, so that each change is told once. */
    private final Map<NodeId, String> told = new ConcurrentHashMap<>();

    private volatile boolean wanted;

    /** The newest that this data centre's process has ever been heard to use. */
    private volatile int newestUsed;

    /** Null while no process runs here. */
    private volatile @Nullable FormatUse own;

    /**
     * @param names of the data centres
     * @param self this node's, or {@link DataCentres#NONE}
     * @param known to the plugin of this node
     * @param apart told once of each node with which nothing is exchanged, and again when it changes
     */
    PeerFormats(List<String> names, int self, Formats known, LongSupplier nanoTime, Consumer<String> apart) {
        this.names = List.copyOf(names);
        this.self = self;
        this.known = known;
        this.nanoTime = nanoTime;
        this.apart = apart;
    }

    Formats known() {
        return known;
    }

    /**
     * A process begins here, and its data centre's log is in this format. To be called before it sends or takes
     * anything.
     */
    void begins(int format) {
        own = new FormatUse(known, format);
    }

    void ends() {
        own = null;
    }

    /** A client asks for what only a later format has. */
    void want() {
        wanted = true;
    }

    /** The format that this data centre's process is to go on to; 0 where there is none. See {@link FormatUse#next}. */
    int next() {
        FormatUse now = own;
        if (now == null) {
            return 0;
        }
        List<@Nullable FormatUse> all = new ArrayList<>();
        for (int dc = 0; dc < names.size(); dc++) {
            all.add(of(dc));
        }
        return now.next(all, wanted && now.used() < Formats.NEWEST_WISHED);
    }

    /**
     * Whether this data centre's process may propose what needs a format. There is no way back, so what was once heard
     * of it holds.
     */
    boolean uses(int format) {
        if (self == DataCentres.NONE) {
            return lacks(format) == null; // whoever is asked can propose it
        }
        FormatUse now = of(self);
        if (now != null) {
            newestUsed = Math.max(newestUsed, now.used());
        }
        return newestUsed >= format;
    }

    /** A data centre that does not use a format by its own word of lately, with what it says; null where none is. */
    @Nullable
    String lacks(int format) {
        for (int dc = 0; dc < names.size(); dc++) {
            FormatUse theirs = of(dc);
            if (theirs == null || theirs.used() < format) {
                return names.get(dc) + " " + (theirs == null ? "has said nothing lately" : theirs);
            }
        }
        return null;
    }

    /** What this node announces. */
    FormatUse own() {
        FormatUse now = own;
        if (now == null) {
            throw new IllegalStateException("no process runs here");
        }
        return now;
    }

    /** Returns whether the process there is one to exchange anything with. */
    boolean heard(int dc, NodeId node, long life, FormatUse use) {
        said.put(node, new Said(dc, life, use, nanoTime.getAsLong()));
        if (fits(use)) {
            told.remove(node);
            return true;
        }
        String trouble = trouble(dc, node, use);
        if (!trouble.equals(told.put(node, trouble))) {
            apart.accept(trouble);
        }
        return false;
    }

    private boolean fits(FormatUse theirs) {
        FormatUse now = own;
        return now == null ? known.know(theirs.used()) : now.fits(theirs);
    }

    private String trouble(int dc, NodeId node, FormatUse use) {
        FormatUse now = own;
        return "node " + node + ", which runs the transactions of data centre " + names.get(dc) + ", " + use
                + " of their log, and this one " + (now == null ? "knows " + known : now)
                + ": nothing is exchanged with it. Install the same plugin at both, the newer one, or go from one to the other over a"
                + " release in between that knows what both use";
    }

    /** Whether to take what a process sends. */
    boolean takesFrom(NodeId node, long life) {
        Said last = said.get(node);
        return last != null && last.life == life && fits(last.use);
    }

    /** Whether to send anything to the process at a node. */
    boolean fits(NodeId node) {
        Said last = said.get(node);
        return last != null && fits(last.use);
    }

    /** What the youngest process of a data centre says that was heard of lately; null where there is none. */
    @Nullable
    FormatUse of(int dc) {
        FormatUse now = own;
        if (dc == self && now != null) {
            return now;
        }
        Map.Entry<NodeId, Said> youngest = youngest(dc);
        return youngest == null ? null : youngest.getValue().use;
    }

    /**
     * Why nothing is exchanged with a data centre's process; null where that is not so, or nobody has been heard of
     * lately.
     */
    @Nullable
    String trouble(int dc) {
        Map.Entry<NodeId, Said> youngest = dc == self && own != null ? null : youngest(dc);
        return youngest == null || fits(youngest.getValue().use)
                ? null
                : trouble(dc, youngest.getKey(), youngest.getValue().use);
    }

    private Map.@Nullable Entry<NodeId, Said> youngest(int dc) {
        long now = nanoTime.getAsLong();
        Map.Entry<NodeId, Said> youngest = null;
        for (Map.Entry<NodeId, Said> each : said.entrySet()) {
            Said last = each.getValue();
            if (last.dc == dc
                    && now - last.nanos <= RECENT_NANOS
                    && (youngest == null || last.life > youngest.getValue().life)) {
                youngest = each;
            }
        }
        return youngest;
    }
}
