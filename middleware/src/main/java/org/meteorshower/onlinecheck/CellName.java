/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.onlinecheck;

/**
 * A cell within its partition.
 *
 * @param row a hash of the row, as {@link org.meteorshower.protocol.Update#row} tells it
 * @param column a hash of the column
 */
public record CellName(long row, long column) {}
