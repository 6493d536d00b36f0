/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

/**
 * How large the nodes' heaps are. Immutable.
 *
 * @param megabytes where no transactions run
 * @param transactionsMegabytes where they do
 */
record Heaps(int megabytes, int transactionsMegabytes) {
    int of(PhaseKind kind) {
        return kind.transactions() ? transactionsMegabytes : megabytes;
    }
}
