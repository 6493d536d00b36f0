/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What a session has seen of transactions: a part of its token for each group of data centres whose order it has seen
 * something of. Immutable.
 */
final class TransactionsSeen {

    /** Parts; more than a cluster has groups. */
    static final int MOST_GROUPS = 64;

    static final TransactionsSeen NOTHING = new TransactionsSeen(new TreeMap<>());

    /** By group: at most {@link #MOST_GROUPS}, none of them empty. */
    private final SortedMap<Integer, TokenPart> parts;

    private TransactionsSeen(SortedMap<Integer, TokenPart> parts) {
        this.parts = Collections.unmodifiableSortedMap(parts);
    }

    /**
     * Decodes the parts, one behind the other; the buffer's position stays where it is.
     *
     * @throws MalformedPayloadException if they are no parts, or not in the order of their groups, each once
     */
    static TransactionsSeen parse(ByteBuffer token) {
        ByteBuffer source = token.duplicate();
        SortedMap<Integer, TokenPart> parts = new TreeMap<>();
        while (source.hasRemaining()) {
            TokenPart part = TokenPart.take(source);
            if (!parts.isEmpty() && parts.lastKey() >= part.group()) {
                throw new MalformedPayloadException("A session token with group " + part.group() + " after group "
                        + parts.lastKey() + ": it was altered");
            }
            parts.put(part.group(), part);
            requireFew(parts);
        }
        return parts.isEmpty() ? NOTHING : new TransactionsSeen(parts);
    }

    private static void requireFew(SortedMap<Integer, TokenPart> parts) {
        if (parts.size() > MOST_GROUPS) {
            throw new MalformedPayloadException("A session token of more than " + MOST_GROUPS
                    + " groups: it was altered, or put together from those of several clusters");
        }
    }

    boolean isEmpty() {
        return parts.isEmpty();
    }

    /** As it travels in the payload: a fresh buffer. */
    ByteBuffer buffer() {
        ByteBuffer all = ByteBuffer.allocate(
                parts.values().stream().mapToInt(TokenPart::lengthBytes).sum());
        parts.values().forEach(part -> all.put(part.buffer()));
        return all.flip().asReadOnlyBuffer();
    }

    /**
     * Of each group the later part; of equal ones, this one's.
     *
     * @throws MalformedPayloadException if that is more than {@link #MOST_GROUPS}
     */
    TransactionsSeen max(TransactionsSeen other) {
        if (!isBehind(other)) {
            return this;
        }
        SortedMap<Integer, TokenPart> later = new TreeMap<>(parts);
        other.parts.forEach((group, part) -> later.merge(group, part, TokenPart::max));
        requireFew(later);
        return new TransactionsSeen(later);
    }

    /** Whether the other has seen something, of some group, that this one has not. */
    boolean isBehind(TransactionsSeen other) {
        return other.parts.values().stream().anyMatch(part -> placeIn(part.group()) < part.place());
    }

    /** By the first group of whose order they have not seen the same: a total order, in which none is above a max. */
    int compare(TransactionsSeen other) {
        SortedSet<Integer> groups = new TreeSet<>(parts.keySet());
        groups.addAll(other.parts.keySet());
        for (int group : groups) {
            int order = Long.compare(placeIn(group), other.placeIn(group));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    private long placeIn(int group) {
        return parts.getOrDefault(group, TokenPart.EMPTY).place();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TransactionsSeen seen && parts.equals(seen.parts);
    }

    @Override
    public int hashCode() {
        return parts.hashCode();
    }

    /** How many entries of each group, for logs. */
    @Override
    public String toString() {
        return parts.values().stream()
                .map(part ->
                        "entry " + part.place() + (part.group() == TokenPart.WHOLE ? "" : " of group " + part.group()))
                .collect(Collectors.joining(", "));
    }
}
