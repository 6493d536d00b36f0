/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.language;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** What can be done with lists, sets and maps. One without members is nothing, as in Cassandra. */
final class Containers {
    /** A larger one fails the transaction. */
    static final int MOST_MEMBERS = 65_535;

    private Containers() {}

    static Value joined(Value left, Value right) {
        if (left.equals(Value.NOTHING)) {
            return right;
        } else if (right.equals(Value.NOTHING)) {
            return left;
        } else if (left instanceof Value.Items head && right instanceof Value.Items tail) {
            List<Value> both = new ArrayList<>(head.values());
            both.addAll(tail.values());
            return of(both);
        } else if (left instanceof Value.Members one && right instanceof Value.Members other) {
            NavigableSet<Value.Typed> both = new TreeSet<>(one.values());
            both.addAll(other.values());
            return of(both);
        } else if (left instanceof Value.Entries one && right instanceof Value.Entries other) {
            NavigableMap<Value.Typed, Value.Typed> both = new TreeMap<>(one.values());
            both.putAll(other.values());
            return of(both);
        }
        throw Expressions.error(left + " and " + right + " cannot be joined");
    }

    static Value without(Value left, Value right) {
        if (left.equals(Value.NOTHING) || right.equals(Value.NOTHING)) {
            return left;
        } else if (left instanceof Value.Items from && right instanceof Value.Items what) {
            List<Value> rest = new ArrayList<>(from.values());
            rest.removeAll(new java.util.HashSet<>(what.values()));
            return of(rest);
        } else if (right instanceof Value.Members what) {
            if (left instanceof Value.Members from) {
                NavigableSet<Value.Typed> rest = new TreeSet<>(from.values());
                rest.removeAll(what.values());
                return of(rest);
            } else if (left instanceof Value.Entries from) {
                NavigableMap<Value.Typed, Value.Typed> rest = new TreeMap<>(from.values());
                what.values().forEach(rest::remove);
                return of(rest);
            }
        }
        throw Expressions.error(right + " cannot be taken from " + left);
    }

    static Value element(Value of, Value key) {
        if (of.equals(Value.NOTHING) || key.equals(Value.NOTHING)) {
            return Value.NOTHING;
        } else if (of instanceof Value.Items items) {
            int place = place(key);
            return place < 0 || place >= items.values().size()
                    ? Value.NOTHING
                    : items.values().get(place);
        } else if (key instanceof Value.Typed typed) {
            if (of instanceof Value.Members members) {
                return members.values().contains(typed) ? typed : Value.NOTHING;
            } else if (of instanceof Value.Entries entries) {
                Value found = entries.values().get(typed);
                return found == null ? Value.NOTHING : found;
            }
        }
        throw Expressions.error(of + " has no elements by " + key);
    }

    static Value replaced(Value in, Value key, Value value) {
        if (in instanceof Value.Items items) {
            return replaced(items, place(key), value);
        } else if (key instanceof Value.Typed typed && (in instanceof Value.Entries || in.equals(Value.NOTHING))) {
            NavigableMap<Value.Typed, Value.Typed> changed =
                    in instanceof Value.Entries entries ? new TreeMap<>(entries.values()) : new TreeMap<>();
            if (value.equals(Value.NOTHING)) {
                changed.remove(typed);
                return of(changed);
            } else if (value instanceof Value.Typed put) {
                changed.put(typed, put);
                return of(changed);
            }
        }
        throw Expressions.error(
                in.equals(Value.NOTHING)
                        ? "a list that is empty has no element " + key
                        : key + " of " + in + " cannot be made " + value);
    }

    private static Value replaced(Value.Items items, int place, Value value) {
        List<Value> changed = new ArrayList<>(items.values());
        if (place < 0 || place >= changed.size()) {
            throw Expressions.error("a list of " + changed.size() + " has no element " + place);
        } else if (value.equals(Value.NOTHING)) {
            changed.remove(place);
        } else {
            changed.set(place, value);
        }
        return of(changed);
    }

    private static int place(Value key) {
        if (key instanceof Value.Typed typed
                && typed.kind() == Kind.INT
                && typed.bytes().size() == 4) {
            return (int) typed.bytes().number(0, 4);
        }
        throw Expressions.error(key + " is no place in a list");
    }

    private static Value of(List<Value> items) {
        return items.isEmpty() ? Value.NOTHING : new Value.Items(bounded(items.size(), items));
    }

    private static Value of(NavigableSet<Value.Typed> members) {
        return members.isEmpty() ? Value.NOTHING : new Value.Members(bounded(members.size(), members));
    }

    private static Value of(NavigableMap<Value.Typed, Value.Typed> entries) {
        return entries.isEmpty() ? Value.NOTHING : new Value.Entries(bounded(entries.size(), entries));
    }

    private static <T> T bounded(int size, T container) {
        if (size > MOST_MEMBERS) {
            throw Expressions.error("a collection of " + size + "; at most " + MOST_MEMBERS + " are kept");
        }
        return container;
    }
}
