/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.config;

/** How many letters to add, drop or change to get from one word to another (Levenshtein). */
final class Distance {
    private Distance() {}

    static int between(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int change = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(change, 1 + Math.min(row[j - 1], row[j]));
            }
        }
        return row[to.length()];
    }
}
