/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.tpcc;

import java.util.random.RandomGenerator;

/** Random texts and numbers of clause 4.3.2. */
final class Draw {
    private static final String SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    private static final String ORIGINAL = "ORIGINAL";
    private static final int TENTH = 10;

    private Draw() {}

    /** Both bounds included. */
    static int number(RandomGenerator random, int least, int most) {
        return random.nextInt(least, most + 1);
    }

    /** Whether something is so that is so for so many of a hundred. */
    static boolean percent(RandomGenerator random, int share) {
        return random.nextInt(100) < share;
    }

    static String text(RandomGenerator random, int least, int most) {
        return of(SIGNS, random, number(random, least, most));
    }

    static String digits(RandomGenerator random, int count) {
        return of("0123456789", random, count);
    }

    private static String of(String signs, RandomGenerator random, int length) {
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append(signs.charAt(random.nextInt(signs.length())));
        }
        return text.toString();
    }

    /** What items and stocks say of themselves: one in ten that it is an original. */
    static String data(RandomGenerator random) {
        String text = text(random, 26, 50);
        if (random.nextInt(TENTH) > 0) {
            return text;
        }
        int at = random.nextInt(text.length() - ORIGINAL.length() + 1);
        return text.substring(0, at) + ORIGINAL + text.substring(at + ORIGINAL.length());
    }

    static Row.Address address(RandomGenerator random) {
        return new Row.Address(
                text(random, 10, 20),
                text(random, 10, 20),
                text(random, 10, 20),
                of("ABCDEFGHIJKLMNOPQRSTUVWXYZ", random, 2),
                digits(random, 4) + "11111");
    }
}
