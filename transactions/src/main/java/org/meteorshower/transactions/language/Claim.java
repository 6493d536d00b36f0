/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.language;

/**
 * That a statement means rows of a partition which are known when it runs. The transaction has the partition to itself
 * then: nobody else reads or writes there.
 *
 * @param rows as many, at most
 * @param isRange whether they are looked for, not named by what they are ordered by
 */
public record Claim(Partition partition, int rows, boolean isRange) {}
