/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import org.apache.cassandra.cql3.Attributes;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.log.Formats;

/**
 * How long what a write sets stays: by its USING TTL, or the table's default_time_to_live. Cassandra says how many
 * seconds, and what is no such number. Immutable.
 */
final class TimeToLive {
    private static final int NOT_KNOWN = -1;

    private final TableMetadata table;
    private final Attributes attributes;
    private final Fragment text;

    /** {@link #NOT_KNOWN} where a bind marker says it; 0 for good. */
    private final int seconds;

    private TimeToLive(TableMetadata table, Attributes attributes, Fragment text, int seconds) {
        this.table = table;
        this.attributes = attributes;
        this.text = text;
        this.seconds = seconds;
    }

    /** @param written null where there is no USING TTL */
    static TimeToLive of(@Nullable Fragment written, TableMetadata table, Scope scope) {
        Attributes.Raw raw = new Attributes.Raw();
        if (written != null) {
            raw.timeToLive = Statements.term(written);
        }
        Attributes attributes = raw.prepare(table.keyspace, table.name);
        Fragment text = written == null ? Fragment.of("") : written;
        scope.markers().place(text, attributes::collectMarkerSpecification);
        int seconds = text.markers().isEmpty() ? attributes.getTimeToLive(QueryOptions.DEFAULT, table) : NOT_KNOWN;
        if (seconds != 0) {
            scope.needs(Formats.PROPOSES_ENDS);
        }
        return new TimeToLive(table, attributes, text, seconds);
    }

    /** What the change sets ends. */
    Compiled.Change of(Compiled.Change change) {
        if (seconds == 0) {
            return change;
        }
        return (binding, row, to) -> {
            long untilMillis = untilMillis(binding);
            change.addTo(
                    binding,
                    row,
                    untilMillis == Row.NEVER
                            ? to
                            : (column, value, isStatic) ->
                                    to.set(column, new Expression.Ending(value, untilMillis), isStatic));
        };
    }

    /** A column ends as a whole, so what changes a part of it cannot say when. */
    Compiled.Change ofPart(ColumnMetadata column, Compiled.Change change) {
        if (seconds == 0) {
            return change;
        } else if (seconds != NOT_KNOWN) {
            throw partRefused(column);
        }
        return (binding, row, to) -> {
            if (untilMillis(binding) != Row.NEVER) {
                throw partRefused(column);
            }
            change.addTo(binding, row, to);
        };
    }

    private long untilMillis(Binding binding) {
        return binding.once(this, () -> {
            int bound = attributes.getTimeToLive(binding.of(text), table);
            return bound == 0 ? Row.NEVER : binding.nowMillis() + 1000L * bound;
        });
    }

    private static RuntimeException partRefused(ColumnMetadata column) {
        return Errors.invalid("with a TTL a collection is set as a whole, since here its parts end together: write "
                + column.name + " = and all that it shall hold, or make a table of its parts. With USING TTL 0 a part"
                + " can be changed, and all of it stays");
    }
}
