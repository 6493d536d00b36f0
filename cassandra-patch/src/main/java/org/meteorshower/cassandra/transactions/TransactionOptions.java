/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.TakingPart.Stage;

/**
 * How a table takes part in transactions, or is about to. Kept in the table's schema, under {@link #EXTENSION}, and so
 * the same on all nodes.
 *
 * @param baseMicros write timestamps of transactions are counted from it, so that they lie above what was written
 *     before; of a table that is closed the time of that, later than that of any closing before; of one that comes
 *     together that of the last closing, or 0
 * @param group the number of its {@link LaneGroup}
 * @param stage a table that has {@linkplain Stage#ENDED ended} never takes part again, since what transactions remember
 *     of its rows is not what others have written since
 */
public record TransactionOptions(long baseMicros, int group, Stage stage) {
    /** The key in the table's extensions. */
    public static final String EXTENSION = "meteorshower_transactions";

    private static final Pattern FORM = Pattern.compile(
            "(?:v1,base=(\\d{1,18})|v2,base=(\\d{1,18}),group=([1-9]\\d{0,9}))(,ended|,closed|,coming_together)?");

    /** Of a table that takes part. */
    public static TransactionOptions open(long baseMicros, int group) {
        return new TransactionOptions(baseMicros, group, Stage.OPEN);
    }

    public boolean isOpen() {
        return stage == Stage.OPEN;
    }

    /** Whether what transactions do with the table's rows is carried out, also when it ends. */
    public boolean hasBegun() {
        return stage == Stage.OPEN || stage == Stage.ENDED;
    }

    /** The same at another stage. */
    public TransactionOptions at(Stage other) {
        return new TransactionOptions(baseMicros, group, other);
    }

    /** As earlier releases know it, where there is nothing that they do not know. */
    public ByteBuffer toExtension() {
        String named = group == LaneGroup.WHOLE ? "v1,base=" + baseMicros : "v2,base=" + baseMicros + ",group=" + group;
        return ByteBufferUtil.bytes(
                stage == Stage.OPEN ? named : named + "," + stage.name().toLowerCase(Locale.ROOT));
    }

    /** The table with these options. */
    public TableMetadata in(TableMetadata table) {
        return Extensions.with(table, EXTENSION, toExtension());
    }

    /** The table as if it had never been asked to take part. */
    public static TableMetadata without(TableMetadata table) {
        return Extensions.with(table, EXTENSION, null);
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
        String stage = matcher.group(4);
        String base = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
        return new TransactionOptions(number(base), (int) number(matcher.group(3)), stage(stage));
    }

    private static Stage stage(@Nullable String text) {
        return text == null ? Stage.OPEN : Stage.valueOf(text.substring(1).toUpperCase(Locale.ROOT));
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
