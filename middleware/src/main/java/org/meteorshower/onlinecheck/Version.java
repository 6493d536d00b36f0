/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.onlinecheck;

/**
 * What a cell held, as far as comparing goes.
 *
 * @param timestampMicros the write's timestamp
 * @param digest a hash of the value
 * @param live false for a deletion
 */
public record Version(long timestampMicros, long digest, boolean live) {}
