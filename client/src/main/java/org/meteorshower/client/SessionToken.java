/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import java.nio.ByteBuffer;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * What a session has seen: every statement that carries it comes after that. Immutable.
 *
 * <p>It has two halves, made of parts that servers made and only servers can verify: one half for sequential reads and
 * writes, of one part, and one for transactions, of one part for each group of data centres of whose transactions the
 * session has seen something (64 at most). Each half is empty until the session has seen something of the kind. Layout
 * of a part: 1 byte version, 1; 8 bytes big-endian, the cut in microseconds or the count of transactions' entries; 1
 * byte key id; 16 bytes message authentication code. A part of a group of some of the data centres has version 2, and
 * behind it 4 bytes big-endian more, the number of the group. That of all data centres comes first, the others follow
 * by their numbers. A client orders the parts of one order by their number. {@link #EMPTY} is a new session's token and
 * the smallest.
 *
 * <p>A token is no secret and no permission: whoever has it learns a point in time. Take tokens only from places that
 * hand on what a server gave them, since a forged one makes every later statement of the session fail.
 */
public final class SessionToken implements Comparable<SessionToken> {

    /** The token of a session that has seen nothing. */
    public static final SessionToken EMPTY = new SessionToken(TokenPart.EMPTY, TransactionsSeen.NOTHING);

    /** As text: of a token with both halves, before the first of them. No half begins with it. */
    private static final byte BOTH = 2;

    private final TokenPart sequential;
    private final TransactionsSeen transactions;

    private SessionToken(TokenPart sequential, TransactionsSeen transactions) {
        this.sequential = sequential;
        this.transactions = transactions;
    }

    /**
     * Decodes a token of sequential reads and writes; the buffer's position stays where it is.
     *
     * @throws MalformedPayloadException if it is neither empty nor a token of version 1
     */
    public static SessionToken parse(ByteBuffer token) {
        return parse(token, null);
    }

    /** Decodes what a response carries; null for what it does not. */
    static SessionToken parse(@Nullable ByteBuffer sequential, @Nullable ByteBuffer transactions) {
        return new SessionToken(
                sequential == null ? TokenPart.EMPTY : TokenPart.parse(sequential),
                transactions == null ? TransactionsSeen.NOTHING : TransactionsSeen.parse(transactions));
    }

    /**
     * Decodes what {@link #toText} gave.
     *
     * @throws MalformedPayloadException if the text is not base64url or not a token
     */
    public static SessionToken parseText(String text) {
        byte[] bytes;
        try {
            bytes = Base64.getUrlDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new MalformedPayloadException("A session token as text must be base64url: it was cut or altered", e);
        }
        if (bytes.length == 0 || bytes[0] != BOTH) {
            return parse(ByteBuffer.wrap(bytes));
        }
        int first = bytes.length < 2 ? -1 : bytes[1];
        if (first < 0 || first > bytes.length - 2) {
            throw new MalformedPayloadException("A session token whose halves do not fit: it was cut or altered");
        }
        return parse(ByteBuffer.wrap(bytes, 2, first), ByteBuffer.wrap(bytes, 2 + first, bytes.length - 2 - first));
    }

    /** The half for sequential reads and writes as it travels in the payload: a fresh, read-only buffer. */
    public ByteBuffer bytes() {
        return sequential.buffer();
    }

    /** The half for transactions as it travels in the payload. */
    ByteBuffer transactionBytes() {
        return transactions.buffer();
    }

    /** Whether the session has seen anything of transactions. */
    boolean hasTransactions() {
        return !transactions.isEmpty();
    }

    /** The token as text (base64url, no padding) for an HTTP header, a cookie or a message queue. */
    public String toText() {
        ByteBuffer one = sequential.buffer();
        ByteBuffer other = transactions.buffer();
        ByteBuffer all = hasTransactions()
                ? ByteBuffer.allocate(2 + one.remaining() + other.remaining())
                        .put(BOTH)
                        .put((byte) one.remaining())
                        .put(one)
                        .put(other)
                : ByteBuffer.allocate(one.remaining()).put(one);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(all.array());
    }

    /** Whether this is the token of a session that has seen nothing. */
    public boolean isEmpty() {
        return sequential.isEmpty() && transactions.isEmpty();
    }

    /**
     * What has been seen by one of the two: of each part the later one; of equal ones, this one's.
     *
     * @throws MalformedPayloadException if they are of more groups than one cluster has
     */
    public SessionToken max(SessionToken other) {
        return new SessionToken(sequential.max(other.sequential), transactions.max(other.transactions));
    }

    boolean isBehind(SessionToken other) {
        return sequential.place() < other.sequential.place();
    }

    /** Whether the other has seen something of some group's transactions that this one has not. */
    boolean isBehindInTransactions(SessionToken other) {
        return transactions.isBehind(other.transactions);
    }

    /**
     * Orders by the sequential half, then by the parts for transactions, the one of all data centres first, then by the
     * groups' numbers; who has no part comes before who has. It is good for sorting, and no more: the smaller of two
     * tokens can be later than the other in some part. {@link #max} has both, and is never the smaller one. Consistent
     * with equals only up to the authentication codes.
     */
    @Override
    public int compareTo(SessionToken other) {
        int order = Long.compare(sequential.place(), other.sequential.place());
        return order != 0 ? order : transactions.compare(other.transactions);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SessionToken token
                && sequential.equals(token.sequential)
                && transactions.equals(token.transactions);
    }

    @Override
    public int hashCode() {
        return 31 * sequential.hashCode() + transactions.hashCode();
    }

    /** The cut in microseconds, and how many entries of transactions of each group, for logs. */
    @Override
    public String toString() {
        if (isEmpty()) {
            return "SessionToken[empty]";
        }
        return "SessionToken["
                + (sequential.isEmpty() ? "" : "cut " + sequential.place() + " µs")
                + (hasTransactions() && !sequential.isEmpty() ? ", " : "")
                + transactions
                + "]";
    }
}
