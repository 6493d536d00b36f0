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
 * @param ended whether it took part once and does not any more; it never will again, since what transactions remember
 *     of its rows is not what others have written since
 */
public record TransactionOptions(long baseMicros, boolean ended) {
    /** The key in the table's extensions. */
    public static final String EXTENSION = "meteorshower_transactions";

    private static final Pattern FORM = Pattern.compile("v1,base=(\\d{1,18})(,ended)?");

    public ByteBuffer toExtension() {
        return ByteBufferUtil.bytes("v1,base=" + baseMicros + (ended ? ",ended" : ""));
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
        if (!matcher.matches()) {
            throw new IllegalArgumentException("the transaction options of " + table + " read '" + text
                    + "': a later version of the plugin wrote them; install it here too");
        }
        return new TransactionOptions(Long.parseLong(matcher.group(1)), matcher.group(2) != null);
    }

    private static String text(ByteBuffer bytes) {
        try {
            return ByteBufferUtil.string(bytes);
        } catch (CharacterCodingException e) {
            return "(no text: " + e.getMessage() + ")";
        }
    }
}
