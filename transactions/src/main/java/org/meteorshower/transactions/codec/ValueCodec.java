/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.codec;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.meteorshower.transactions.language.Bytes;
import org.meteorshower.transactions.language.Kind;
import org.meteorshower.transactions.language.Value;

/** Values as bytes. Stateless. */
final class ValueCodec {
    private static final int NOTHING = 0;
    private static final int WHOLE = 1;
    private static final int TEXT = 2;
    private static final int TRUTH = 3;
    private static final int ITEMS = 4;
    private static final int MEMBERS = 5;
    private static final int ENTRIES = 6;
    private static final int EXPIRING = 7;

    /** Plus the code of the kind. */
    private static final int TYPED = 16;

    private static final int LEAST_TYPED_BYTES = 2;

    private ValueCodec() {}

    static void write(Value value, DataOut out, int depth) {
        LanguageCodec.requireShallow(depth);
        if (value instanceof Value.Typed typed) {
            out.u8(TYPED + typed.kind().code()).sized(typed.bytes());
        } else if (value instanceof Value.Whole whole) {
            out.u8(WHOLE).signed(whole.value());
        } else if (value instanceof Value.Text text) {
            out.u8(TEXT).text(text.value());
        } else if (value instanceof Value.Truth truth) {
            out.u8(TRUTH).bool(truth.value());
        } else if (value instanceof Value.Items items) {
            out.u8(ITEMS).varint(items.values().size());
            items.values().forEach(item -> write(item, out, depth + 1));
        } else if (value instanceof Value.Members members) {
            out.u8(MEMBERS).varint(members.values().size());
            members.values().forEach(member -> write(member, out, depth + 1));
        } else if (value instanceof Value.Entries entries) {
            out.u8(ENTRIES).varint(entries.values().size());
            for (Map.Entry<Value.Typed, Value.Typed> entry : entries.values().entrySet()) {
                write(entry.getKey(), out, depth + 1);
                write(entry.getValue(), out, depth + 1);
            }
        } else if (value instanceof Value.Expiring expiring) {
            write(expiring.value(), out.u8(EXPIRING).varint(expiring.untilMillis()), depth + 1);
        } else {
            out.u8(NOTHING);
        }
    }

    static Value read(DataIn in, int depth) throws BadDataException {
        LanguageCodec.requireShallowInput(depth);
        int code = in.u8();
        return switch (code) {
            case NOTHING -> Value.NOTHING;
            case WHOLE -> Value.of(in.signed());
            case TEXT -> Value.of(in.text("a text"));
            case TRUTH -> Value.of(in.bool());
            case ITEMS -> items(in, depth);
            case MEMBERS -> members(in);
            case ENTRIES -> entries(in);
            case EXPIRING -> expiring(in, depth);
            default -> typed(in, code);
        };
    }

    private static Value expiring(DataIn in, int depth) throws BadDataException {
        long untilMillis = in.natural("a time");
        Value value = read(in, depth + 1);
        if (value instanceof Value.Expiring || value.equals(Value.NOTHING)) {
            throw new BadDataException(value + " cannot end");
        }
        return new Value.Expiring(value, untilMillis);
    }

    private static Value items(DataIn in, int depth) throws BadDataException {
        int count = in.count("items", 1);
        List<Value> items = new ArrayList<>(Math.min(count, 16));
        for (int i = 0; i < count; i++) {
            items.add(read(in, depth + 1));
        }
        return new Value.Items(items);
    }

    private static Value members(DataIn in) throws BadDataException {
        int count = in.count("members", LEAST_TYPED_BYTES);
        TreeSet<Value.Typed> members = new TreeSet<>();
        for (int i = 0; i < count; i++) {
            members.add(typed(in, in.u8()));
        }
        return new Value.Members(members);
    }

    private static Value entries(DataIn in) throws BadDataException {
        int count = in.count("entries", 2 * LEAST_TYPED_BYTES);
        TreeMap<Value.Typed, Value.Typed> entries = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            Value.Typed key = typed(in, in.u8());
            entries.put(key, typed(in, in.u8()));
        }
        return new Value.Entries(entries);
    }

    private static Value.Typed typed(DataIn in, int code) throws BadDataException {
        Kind kind;
        try {
            kind = Kind.ofCode(code - TYPED);
        } catch (IllegalArgumentException e) {
            throw new BadDataException("no value begins with " + code);
        }
        return new Value.Typed(kind, Bytes.copyOf(in.sized("a value")));
    }
}
