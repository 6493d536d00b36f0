/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.transactions;

/** A row as it is in the end. Immutable. */
public record Account(int row, long balance, long version, String last) {}
