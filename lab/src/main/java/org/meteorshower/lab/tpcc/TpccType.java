/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.tpcc;

import java.util.Locale;
import java.util.random.RandomGenerator;

/** The five transactions, how often each is asked for, and how long people type and think (clauses 5.2.3, 5.2.5). */
public enum TpccType {
    NEW_ORDER(45, 18, 12, true),
    PAYMENT(43, 3, 12, true),
    ORDER_STATUS(4, 2, 10, false),
    DELIVERY(4, 2, 5, true),
    STOCK_LEVEL(4, 2, 5, false);

    private static final int MOST_MEANS = 10;

    private final int share;
    private final int keyingSeconds;
    private final int thinkingSeconds;
    private final boolean writes;

    TpccType(int share, int keyingSeconds, int thinkingSeconds, boolean writes) {
        this.share = share;
        this.keyingSeconds = keyingSeconds;
        this.thinkingSeconds = thinkingSeconds;
        this.writes = writes;
    }

    /** As reports name it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Of a hundred transactions. */
    public int share() {
        return share;
    }

    /** Whether it changes anything. */
    public boolean writes() {
        return writes;
    }

    /** Before it is asked for. */
    public double keyingSeconds() {
        return keyingSeconds;
    }

    /** After it was answered: negative exponential, ten times the mean at most. */
    public double thinkingSeconds(RandomGenerator random) {
        return Math.min(MOST_MEANS, -Math.log(1 - random.nextDouble())) * thinkingSeconds;
    }

    /** One of the mix. */
    public static TpccType draw(RandomGenerator random) {
        int drawn = random.nextInt(100);
        for (TpccType type : values()) {
            drawn -= type.share;
            if (drawn < 0) {
                return type;
            }
        }
        throw new IllegalStateException("the shares do not add up to 100");
    }
}
