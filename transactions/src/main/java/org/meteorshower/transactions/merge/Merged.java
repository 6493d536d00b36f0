/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.merge;

import org.meteorshower.transactions.log.Entry;

/**
 * An entry in its place in the order of all lanes.
 *
 * @param number from 0
 * @param epoch the effective one
 */
public record Merged(long number, int lane, long position, long epoch, Entry entry) {}
