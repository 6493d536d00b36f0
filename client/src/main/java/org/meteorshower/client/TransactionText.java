/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import java.util.Set;

/** What can be told of a transaction from its words. Stateless. */
final class TransactionText {

    private static final Set<String> WRITES = Set.of("INSERT", "UPDATE", "DELETE");

    private TransactionText() {}

    /**
     * Whether it has no statement that writes. A column of such a name lets it be taken for one that writes, which does
     * no harm; so is a CALL, since what the procedure does is not known here.
     */
    static boolean isReadOnly(String cql) {
        return !CqlText.firstWord(cql).equals("CALL")
                && CqlText.words(cql).stream().noneMatch(WRITES::contains);
    }
}
