/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Seeds from {@code first} to {@code last}, both included. */
public record SeedRange(long first, long last) {
    private static final Pattern FORM = Pattern.compile("(\\d{1,18})\\.\\.(\\d{1,18})");

    /** @throws IllegalArgumentException if the text is no range; the message says what one looks like */
    public static SeedRange parse(String text) {
        Matcher matcher = FORM.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "--seeds: '" + text + "' is no range of seeds; write the first and the last, such as 1..500");
        }
        SeedRange range = new SeedRange(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)));
        if (range.last < range.first) {
            throw new IllegalArgumentException(
                    "--seeds: " + text + " ends before it begins; write the smaller seed first");
        }
        return range;
    }

    long count() {
        return last - first + 1;
    }
}
