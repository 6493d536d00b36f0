/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import org.meteorshower.protocol.ReadMode;

/** How clients spell read modes. */
final class ModeText {
    private static final String BOUNDED = "bounded:";

    private ModeText() {}

    /** @throws IllegalArgumentException naming the text and what is allowed */
    static ReadMode parse(String text) {
        return switch (text) {
            case "sequential" -> ReadMode.SEQUENTIAL;
            case "meteorshower1" -> ReadMode.METEORSHOWER1;
            case "meteorshower2" -> ReadMode.METEORSHOWER2;
            case "strict" -> ReadMode.STRICT;
            default -> {
                String number = text.startsWith(BOUNDED) ? text.substring(BOUNDED.length()) : "";
                if (!number.matches("[0-9]{1,18}")) {
                    throw new IllegalArgumentException("'" + text + "' is no read mode: use sequential, meteorshower1,"
                            + " meteorshower2, strict, or bounded: and a number of microseconds, as in bounded:5000");
                }
                yield ReadMode.bounded(Long.parseLong(number));
            }
        };
    }
}
