/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.jspecify.annotations.Nullable;

/**
 * How a table takes part in transactions. Kept in the table's schema, under {@link #EXTENSION}, and so the same on all
 * nodes.
 *
 * @param baseMicros the time of the enabling: write timestamps of transactions are counted from it, so that they lie
 *     above what was written before
 * @param group the number of its {@link LaneGroup}
 * @param ended whether it took part once and does not any more; it never will again, since what transactions remember
 *     of its rows is not what others have written since
 */
public record TransactionOptions(long baseMicros, int group, boolean ended) {
    /** The key in the table's extensions. */
    public static final String EXTENSION = "meteorshower_transactions";

    private static final Pattern FORM =
            Pattern.compile("(?:v1,base=(\\d{1,18})|v2,base=(\\d{1,18}),group=([1-9]\\d{0,9}))(,ended)?");

    /** The same without taking part any more. */
    public TransactionOptions end() {
        return new TransactionOptions(baseMicros, group, true);
    }

    /** As earlier releases know it, where there is nothing that they do not know. */
    public ByteBuffer toExtension() {
        String named = group == LaneGroup.WHOLE ? "v1,base=" + baseMicros : "v2,base=" + baseMicros + ",group=" + group;
        return ByteBufferUtil.bytes(named + (ended ? ",ended" : ""));
    }

    /**
     * The options in a table's schema; null if it never took part.
     *
     * @throws IllegalArgumentException if a later version of the plugin wrote them
     */
    public static @Nullable TransactionOptions of(TableMetadata table) {
        ByteBuffer bytes = table.params.extensions.get(EXTENSION);
        if (bytes == null) {
            return null;
        }
        String text = text(bytes);
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches() || number(matcher.group(3)) > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("the transaction options of " + table + " read '" + text
                    + "': a later version of the plugin wrote them; install it here too");
        }
        boolean ended = matcher.group(4) != null;
        String base = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
        return new TransactionOptions(number(base), (int) number(matcher.group(3)), ended);
    }

    /** None is that of the group of all data centres. */
    private static long number(@Nullable String digits) {
        return digits == null ? LaneGroup.WHOLE : Long.parseLong(digits);
    }

    private static String text(ByteBuffer bytes) {
        try {
            return ByteBufferUtil.string(bytes);
        } catch (CharacterCodingException e) {
            return "(no text: " + e.getMessage() + ")";
        }
    }
}
