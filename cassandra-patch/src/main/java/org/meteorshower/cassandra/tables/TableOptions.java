/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.placement.GroupRules;
import org.meteorshower.cassandra.placement.WriteQuorum;

/**
 * How an enabled table is served. Kept in the table's schema, under {@link #EXTENSION}, and so the same on all nodes.
 *
 * @param writeQuorum {@code ONE} gives (r, w) = (ALL, ONE): a write takes effect at the first replica, and a read needs
 *     word from all; {@code ALL} gives (r, w) = (ONE, ALL): the reverse
 * @param ranges what becomes of reads of more than named partitions
 * @param strict how reads in the mode {@code strict} are answered
 * @param leaseHolders the data centres that are to hold leases where strict reads are answered by them; none stands for
 *     all
 * @param epoch not an operator's to choose: it changes when partitions have moved between nodes
 */
public record TableOptions(
        WriteQuorum writeQuorum, Ranges ranges, Strict strict, Set<String> leaseHolders, TableEpoch epoch) {
    /** What becomes of SELECTs at a level that is served which do not name their partitions. */
    public enum Ranges {
        /** They are refused. */
        REFUSE,
        /** They are Cassandra's own. */
        CASSANDRA,
        /** They are served, each page at one cut. */
        SERVED
    }

    /** How strict reads are answered. */
    public enum Strict {
        /** After a one-way delay, by clocks that must agree. */
        CLOCKS,
        /** By leases, at the replica at home; writes wait for all who hold one. */
        HOME
    }

    /** The key in the table's extensions. */
    public static final String EXTENSION = "meteorshower";

    public static final TableOptions DEFAULT =
            new TableOptions(WriteQuorum.MAJORITY, Ranges.REFUSE, Strict.CLOCKS, Set.of(), TableEpoch.NONE);

    private static final String VERSION = "v1";
    private static final String EPOCH_FOLLOWS = ";";
    private static final String LEASE_HOLDERS = "holders=";
    private static final String AND = "+";
    private static final Pattern EPOCH = Pattern.compile("epoch=(\\d{1,18})(,moved)?,ring=(.*)");

    /**
     * Parses what an operator writes: {@code name=value} pairs separated by commas, in any order, none for the
     * defaults.
     *
     * @throws IllegalArgumentException naming what is wrong and what is allowed
     */
    public static TableOptions parse(String text) {
        WriteQuorum writeQuorum = WriteQuorum.MAJORITY;
        Ranges ranges = Ranges.REFUSE;
        Strict strict = Strict.CLOCKS;
        Set<String> leaseHolders = Set.of();
        for (String pair : text.split(",", -1)) {
            String trimmed = pair.trim().toLowerCase(Locale.ROOT);
            if (trimmed.startsWith(LEASE_HOLDERS)) {
                leaseHolders = leaseHolders(pair.trim().substring(LEASE_HOLDERS.length()));
                continue;
            }
            switch (trimmed) {
                case "", "w=majority", "ranges=refuse", "strict=clocks" -> {}
                case "w=one" -> writeQuorum = WriteQuorum.ONE;
                case "w=all" -> writeQuorum = WriteQuorum.ALL;
                case "ranges=cassandra" -> ranges = Ranges.CASSANDRA;
                case "ranges=served" -> ranges = Ranges.SERVED;
                case "strict=home" -> strict = Strict.HOME;
                default -> throw noOption(pair.trim());
            }
        }
        if (strict == Strict.HOME && writeQuorum == WriteQuorum.ONE) {
            throw new IllegalArgumentException("strict=home needs w=majority or w=all: with w=one a write would be lost"
                    + " with the only replica that has it, and reads at home would have shown it");
        }
        if (strict != Strict.HOME && !leaseHolders.isEmpty()) {
            throw new IllegalArgumentException("holders names the data centres that hold leases, and a table has leases"
                    + " with strict=home only: add that, or leave holders out");
        }
        return new TableOptions(writeQuorum, ranges, strict, leaseHolders, TableEpoch.NONE);
    }

    private static IllegalArgumentException noOption(String text) {
        return new IllegalArgumentException("'" + text + "' is no table option; there are "
                + String.join(
                        ", ",
                        List.of(
                                "w=majority",
                                "w=one",
                                "w=all",
                                "ranges=refuse",
                                "ranges=cassandra",
                                "ranges=served",
                                "strict=clocks",
                                "strict=home",
                                "holders=DC1+DC2 (with strict=home)"))
                + ", separated by commas");
    }

    private static Set<String> leaseHolders(String text) {
        if (text.trim().toLowerCase(Locale.ROOT).equals("all")) {
            return Set.of();
        }
        Set<String> named = new TreeSet<>();
        for (String each : text.split(Pattern.quote(AND), -1)) {
            String name = each.trim();
            if (name.isEmpty() || name.contains(EPOCH_FOLLOWS)) {
                throw new IllegalArgumentException("'" + LEASE_HOLDERS + text
                        + "' names no data centres: write them as nodetool status does, with + between them, as in"
                        + " holders=DC1+DC2; or holders=all");
            }
            named.add(name);
        }
        return Collections.unmodifiableSet(named);
    }

    /** What they say of each partition's replicas. */
    public GroupRules rules() {
        return new GroupRules(writeQuorum, strict == Strict.HOME);
    }

    TableOptions in(TableEpoch other) {
        return new TableOptions(writeQuorum, ranges, strict, leaseHolders, other);
    }

    /** What {@link #parse} reads back. */
    @Override
    public String toString() {
        return "w=" + writeQuorum.name().toLowerCase(Locale.ROOT) + ",ranges="
                + ranges.name().toLowerCase(Locale.ROOT)
                + (strict == Strict.CLOCKS ? "" : ",strict=" + strict.name().toLowerCase(Locale.ROOT))
                + (leaseHolders.isEmpty() ? "" : "," + LEASE_HOLDERS + String.join(AND, leaseHolders));
    }

    private static TableEpoch epochOf(String text) {
        Matcher matcher = EPOCH.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text
                    + "' is no epoch of a table: a later version of the plugin wrote it; install it here too");
        }
        return new TableEpoch(Long.parseLong(matcher.group(1)), matcher.group(2) != null, matcher.group(3));
    }

    ByteBuffer toExtension() {
        return ByteBufferUtil.bytes(VERSION + "," + this + EPOCH_FOLLOWS + epoch);
    }

    /**
     * The options in a table's schema, or null if it is not enabled.
     *
     * @throws IllegalArgumentException if a later version of the plugin wrote them
     */
    static @Nullable TableOptions of(TableMetadata table) {
        ByteBuffer bytes = table.params.extensions.get(EXTENSION);
        if (bytes == null) {
            return null;
        }
        try {
            String text = ByteBufferUtil.string(bytes);
            if (text.startsWith(VERSION + ",")) {
                String[] parts = text.substring(VERSION.length() + 1).split(EPOCH_FOLLOWS, 2);
                return parse(parts[0]).in(parts.length == 1 ? TableEpoch.NONE : epochOf(parts[1]));
            }
            throw new IllegalArgumentException("the options of " + table + " read '" + text
                    + "': a later version of the plugin wrote them; install it here too");
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("the options of " + table + " are no text: " + e.getMessage(), e);
        }
    }
}
